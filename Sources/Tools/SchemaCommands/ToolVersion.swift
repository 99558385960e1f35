/// The tool version, for reports.
package enum ToolVersion {
  package static let text = "0.1.0"
}
