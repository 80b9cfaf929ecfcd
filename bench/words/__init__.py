"""How the weights of words were learnt, and how well they do on a vendor that they were not learnt from."""
