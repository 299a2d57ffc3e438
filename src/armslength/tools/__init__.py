"""What a program can call: tools over stores on this machine, what each declares, and the labels of what it returns."""
