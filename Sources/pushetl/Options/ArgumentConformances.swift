import ArgumentParser
import Pipelines

extension MessageLog.Format: ExpressibleByArgument {}

extension DateRequest.Only: ExpressibleByArgument {}
