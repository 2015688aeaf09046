"""mdchunk as a LangChain text splitter."""
