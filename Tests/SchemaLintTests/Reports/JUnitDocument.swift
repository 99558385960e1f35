import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Checks the elements of a JUnit report, their nesting and their attributes.
final class JUnitDocument: NSObject, XMLParserDelegate {
  private(set) var problems: [String] = []
  private(set) var failures = 0
  private var path: [String] = []
  private var counts: [(suites: [String: Int], said: [String: Int])] = []

  private static let parents = [
    "testsuites": "", "testsuite": "testsuites", "testcase": "testsuite", "failure": "testcase",
  ]
  private static let attributes: [String: (required: Set<String>, known: Set<String>)] = [
    "testsuites": ([], ["name", "tests", "failures", "errors", "time"]),
    "testsuite": (
      ["name", "tests", "failures", "errors"],
      ["name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package", "file"]
    ),
    "testcase": (["name", "classname"], ["name", "classname", "time"]),
    "failure": (["type", "message"], ["type", "message"]),
  ]

  init(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    if !parser.parse() { problems.append("line \(parser.lineNumber): no XML") }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    let place = "line \(parser.lineNumber): \(name)"
    if Self.parents[name] != path.last ?? "" { problems.append("\(place) within \(path.last ?? "nothing")") }
    let allowed = Self.attributes[name] ?? ([], [])
    for attribute in allowed.required.subtracting(attributes.keys) { problems.append("\(place) without \(attribute)") }
    for attribute in Set(attributes.keys).subtracting(allowed.known) { problems.append("\(place) with \(attribute)") }
    for counted in ["tests", "failures", "errors"] {
      if let number = attributes[counted], Int(number) == nil { problems.append("\(place): \(number) \(counted)") }
    }
    path.append(name)
    if name == "failure" { failures += 1 }
    let said = attributes.compactMapValues { Int($0) }
    if name == "testsuites" || name == "testsuite" { counts.append(([:], said)) }
    for index in counts.indices {
      if name == "testcase" { counts[index].suites["tests", default: 0] += 1 }
      if name == "failure" { counts[index].suites["failures", default: 0] += 1 }
    }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    path.removeLast()
    guard name == "testsuites" || name == "testsuite", let (found, said) = counts.popLast() else { return }
    for counted in ["tests", "failures"] where found[counted, default: 0] != said[counted] {
      problems.append("\(name) says \(said[counted] ?? -1) \(counted), and has \(found[counted, default: 0])")
    }
  }
}
