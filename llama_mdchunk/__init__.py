"""mdchunk as a LlamaIndex node parser."""
