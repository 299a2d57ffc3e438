"""The run: what each kind of node does, as a closure of the frame it runs in, with the regions that `machine` keeps."""
