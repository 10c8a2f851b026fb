# (files of examples/)
