"""A job on Spark without Spark: runs spark-plan and the tasks that it asks for, one after another."""
import json
import subprocess
import tempfile

from faults import Outcome


def run_job(program, words, environment):
    """Runs a job to its end. If a task fails, the outcome is the task's."""
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryDirectory(prefix="job-") as scratch:
        driver = subprocess.Popen(
            [program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment)
        failed = None
        for line in driver.stdout:
            step = json.loads(line)
            if step.get("next", "done") == "done" or (failed := failed_task(step, program, scratch, environment)):
                break
            driver.stdin.write(b"\n")
            driver.stdin.flush()
        driver.stdin.close()
        stdout = driver.stdout.read().decode()
        driver.wait()
        errors.seek(0)
        return failed or Outcome(driver.returncode, stdout, errors.read().decode(), 0)


def failed_task(step, program, scratch, environment):
    """Has the files read. The outcome of the first task that fails; nothing if none does."""
    for file in step["files"]:
        command = [program, "spark-read", "--file", str(file["index"]), "--job", step["job"], "--scratch", scratch]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment)
        if done.returncode:
            return Outcome(done.returncode, "", f"spark-read: {done.stderr.decode()}", 0)
    return None
