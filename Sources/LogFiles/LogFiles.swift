// LogFiles
