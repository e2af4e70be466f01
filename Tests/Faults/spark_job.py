"""A job on Spark without Spark: runs spark-drive and the tasks that it asks for, one after another."""
import json
import os
import shutil
import struct
import subprocess
import tempfile

from faults import Outcome


class TaskFailed(Exception):
    def __init__(self, outcome):
        self.outcome = outcome


class SparkJob:
    """Plays Apache Spark's part in a job: passes frames between spark-drive and the tasks."""

    HEADER = struct.Struct("<4sHHII16x")
    ACCOUNTS = 2

    def __init__(self, program, words, environment, root):
        self.program, self.words, self.environment = program, words, environment
        self.scratch = tempfile.mkdtemp(prefix="job-", dir=os.path.dirname(root))

    def run(self):
        """Runs the job to its end. If a task fails, the outcome is the task's."""
        with tempfile.TemporaryFile() as errors:
            driver = subprocess.Popen(
                [self.program, *self.words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=self.environment)
            failed = None
            try:
                self.pass_frames(driver)
            except TaskFailed as failure:
                failed = failure.outcome
            driver.stdin.close()
            stdout = driver.stdout.read().decode()
            driver.wait()
            shutil.rmtree(self.scratch)
            errors.seek(0)
            return failed or Outcome(driver.returncode, stdout, errors.read().decode(), 0)

    def pass_frames(self, driver):
        events = []
        for line in driver.stdout:
            step = json.loads(line)
            if step.get("next", "done") == "done":
                return
            with open(os.path.join(self.scratch, "job.json"), "w") as file:
                json.dump(step["job"], file)
            shards, frames = range(step.get("shards", 0)), []
            if step["next"] == "map":
                events = [frame for file in step["files"] for frame in self.task("spark-map", "--file", file["index"])]
                frames = [frame for frame in events if frame[0] == self.ACCOUNTS]
            elif step["next"] == "reduce":
                for shard in shards:
                    own = [frame for frame in events if frame[0] != self.ACCOUNTS and frame[1] == shard]
                    frames += self.task("spark-reduce", "--shard", shard, frames=own)
            else:
                figures = [frame for shard in shards for frame in self.task("spark-figures", "--shard", shard)]
                for day in step["days"]:
                    own = [frame for frame in figures if frame[1] == day]
                    frames += self.task("spark-add", "--day", day, frames=own)
            driver.stdin.write(b"".join(frame for _, _, frame in frames) + bytes(self.HEADER.size))
            driver.stdin.flush()

    def task(self, *words, frames=()):
        """The frames that a task gives: kind, key, bytes."""
        command = [self.program, *map(str, words), "--job", os.path.join(self.scratch, "job.json")]
        # Adding up needs no room.
        if words[0] != "spark-add":
            command += ["--scratch", self.scratch]
        done = subprocess.run(
            command, input=b"".join(frame for _, _, frame in frames), capture_output=True, env=self.environment)
        if done.returncode:
            raise TaskFailed(Outcome(done.returncode, "", f"{words[0]}: {done.stderr.decode()}", 0))
        found, offset = [], 0
        while offset < len(done.stdout):
            _, _, kind, key, length = self.HEADER.unpack_from(done.stdout, offset)
            end = offset + self.HEADER.size + length
            found.append((kind, key, done.stdout[offset:end]))
            offset = end
        return found
