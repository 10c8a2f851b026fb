# (files of completion/)
