print("pushetl")
