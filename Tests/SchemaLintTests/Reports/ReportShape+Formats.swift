/// The parts of published report formats that Trellis uses, with all requirements of their schemas.
/// `Tests/Consumers/reports.sh` validates whole reports with the schemas if they are installed.
extension ReportShape {
  private static let level = word(["none", "note", "warning", "error"])
  private static let message = object(["text": text], required: ["text"])
  private static let artifact = object(["uri": reference])
  private static let region = object(
    [
      "startLine": integer(atLeast: 1), "startColumn": integer(atLeast: 1), "endLine": integer(atLeast: 1),
      "endColumn": integer(atLeast: 1),
    ], required: ["startLine"])

  private static let location = object([
    "id": integer(atLeast: -1), "message": message,
    "physicalLocation": object(
      ["artifactLocation": artifact, "region": region], oneOf: ["address", "artifactLocation"]),
  ])

  private static let fix = object(
    [
      "description": message,
      "artifactChanges": list(
        object(
          [
            "artifactLocation": artifact,
            "replacements": list(
              object(
                ["deletedRegion": region, "insertedContent": object(["text": text])], required: ["deletedRegion"]),
              atLeast: 1),
          ], required: ["artifactLocation", "replacements"]), atLeast: 1, isUnique: true),
    ], required: ["artifactChanges"])

  private static let result = object(
    [
      "ruleId": text, "ruleIndex": integer(atLeast: -1), "level": level, "message": message,
      "locations": list(location), "relatedLocations": list(location, isUnique: true),
      "partialFingerprints": table(text), "fixes": list(fix, isUnique: true),
      "suppressions": list(
        object(
          [
            "kind": word(["inSource", "external"]), "status": word(["accepted", "underReview", "rejected"]),
            "justification": text,
          ], required: ["kind"]), isUnique: true),
      "baselineState": word(["new", "unchanged", "updated", "absent"]),
    ], required: ["message"])

  private static let rule = object(
    [
      "id": text, "name": text, "shortDescription": message, "fullDescription": message, "help": message,
      "defaultConfiguration": object(["level": level]),
    ], required: ["id"])

  /// SARIF 2.1.0.
  static let sarif = object(
    [
      "$schema": reference, "version": word(["2.1.0"]),
      "runs": list(
        object(
          [
            "tool": object(
              [
                "driver": object(
                  ["name": text, "semanticVersion": text, "rules": list(rule, isUnique: true)], required: ["name"])
              ], required: ["driver"]),
            "invocations": list(object(["executionSuccessful": flag], required: ["executionSuccessful"])),
            "columnKind": word(["utf16CodeUnits", "unicodeCodePoints"]), "results": list(result),
          ], required: ["tool"])),
    ], required: ["version", "runs"])

  /// GitLab's code quality report.
  static let gitlab = list(
    object(
      [
        "description": text, "check_name": text, "fingerprint": text,
        "severity": word(["info", "minor", "major", "critical", "blocker"]),
        "location": object(
          [
            "path": text,
            "lines": object(["begin": integer(atLeast: 1), "end": integer(atLeast: 1)], required: ["begin"]),
          ], required: ["path", "lines"]),
      ], required: ["description", "check_name", "fingerprint", "severity", "location"]))
}
