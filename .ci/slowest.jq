# The ten slowest cases of tests, with their seconds, from the event stream of `swift test`. A test of several cases is not timed
# as a whole, since its cases also wait for one another, and one without arguments has no time of its own in the stream; what
# takes long of those are the tests of random seeds, which print how long they took.
reduce inputs as $line ({};
  $line.payload as $event
  | (($event.testID // "") + ($event._testCase.id // "")) as $case
  | if $event.kind == "testCaseStarted" then
      .[$case].start = $event.instant.absolute
    elif $event.kind == "testCaseEnded" then
      .[$case] += {end: $event.instant.absolute, name: "\($event.testID | split("/")[1]) \($event._testCase.displayName // "")"}
    else . end)
| [.[] | select(.end) | [.end - .start, .name[:100]]] | sort | reverse
| .[:10][] | "\(.[0] * 1000 | round / 1000)  \(.[1])"
