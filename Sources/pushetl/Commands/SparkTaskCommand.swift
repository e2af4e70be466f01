import ArgumentParser
import Cluster
import Configuration
import Foundation
import Messages
import Pipelines

/// A command that Apache Spark runs as a task. It finds all in the job's folder, and prints nothing.
protocol SparkTaskCommand: ParsableCommand {
    var task: SparkTaskOptions { get }

    func execute(_ job: ClusterJob, _ resources: TaskResources) throws
}

extension SparkTaskCommand {
    mutating func run() throws {
        let stopping = Stopping()
        do {
            try execute(ClusterJob(folder: task.job), task.resources(stopping.flag))
        } catch is Stopped {
            throw ExitCode(stopping.flag.exitCode)
        } catch let error as PipelineFileError {
            for problem in error.problems { task.log.write(problem.message, .error) }
            throw ExitCode(ExitStatus.badPipeline.rawValue)
        } catch {
            task.log.write(Sentence().message(error), .error)
            throw ExitCode(ExitStatus(of: error).rawValue)
        }
    }
}
