# (files of docs/)
