package import SchemaDriver

/// `trellis fixture` of the tool that is built for the commands of a package. Making stores needs the
/// runtime, which nobody wants to wait for who checks a schema.
package enum FixtureElsewhere: Verb {
  package static let name = "fixture"
  package static let summary = "write populated stores of the versions of a schema"
  package static let options: Set<String> = ["--rows", "--seed", "--output", "--module"]
  package static let flags: Set<String> = ["--force"]
  package static let help = """
    Usage: swift package --allow-writing-to-package-directory schema-fixture [options] [VERSION…] [PATH…]

    This tool is built without the runtime and makes no stores. 'swift package schema-fixture --help' says
    more.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    throw DriverFailure(
      [
        "error: this tool is built without the runtime and makes no stores: call 'swift package schema-fixture', "
          + "or the tool 'trellis' itself"
      ], .usage)
  }
}
