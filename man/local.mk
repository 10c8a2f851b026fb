# (files of man/)
