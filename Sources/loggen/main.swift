print("loggen")
