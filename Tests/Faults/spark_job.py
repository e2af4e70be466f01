"""A job on Spark without Spark: runs spark-drive and the tasks that it asks for, one after another."""
import json
import os
import shutil
import subprocess
import tempfile

from faults import Outcome


class SparkJob:
    """Plays Apache Spark's part in a job."""

    def __init__(self, program, words, environment, root):
        self.program, self.words, self.environment = program, words, environment
        self.scratch = tempfile.mkdtemp(prefix="job-", dir=os.path.dirname(root))

    def run(self):
        """Runs the job to its end. If a task fails, the outcome is the task's."""
        with tempfile.TemporaryFile() as errors:
            driver = subprocess.Popen(
                [self.program, *self.words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=self.environment)
            failed = self.run_tasks(driver)
            driver.stdin.close()
            stdout = driver.stdout.read().decode()
            driver.wait()
            shutil.rmtree(self.scratch)
            errors.seek(0)
            return failed or Outcome(driver.returncode, stdout, errors.read().decode(), 0)

    def run_tasks(self, driver):
        """The outcome of the task that fails; nothing if none does."""
        for line in driver.stdout:
            step = json.loads(line)
            if step.get("next", "done") == "done":
                return None
            tasks = (
                [("spark-map", "--file", file["index"]) for file in step["files"]] if step["next"] == "map"
                else [("spark-reduce", "--shard", shard) for shard in range(step["shards"])])
            for words in tasks:
                command = [self.program, *map(str, words), "--job", step["job"], "--scratch", self.scratch]
                done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=self.environment)
                if done.returncode:
                    return Outcome(done.returncode, "", f"{words[0]}: {done.stderr.decode()}", 0)
            driver.stdin.write(b"\n")
            driver.stdin.flush()
        return None
