/// The version of the tool, for reports.
package enum ToolVersion {
  package static let text = "0.1.0"
}
