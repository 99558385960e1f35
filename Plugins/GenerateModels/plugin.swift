import Foundation
import PackagePlugin

/// Finds the schema files of a target and asks `trellis-generate` to compile them.
@main struct GenerateModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? SwiftSourceModuleTarget else { return [] }
    let package = context.package.directoryURL
    let suffix = "." + OutputNaming.schemaSuffix
    let own = module.sourceFiles.map(\.url).filter { $0.lastPathComponent.hasSuffix(suffix) }
    // SwiftPM does not look below this folder by itself, so every folder there is an input too.
    let folder = package.appending(path: "Schemas").appending(path: target.name)
    let below = FileManager.default.subpaths(atPath: folder.path(percentEncoded: false)) ?? []
    let listed = below.map { folder.appending(path: $0) }
    let shared = listed.filter { $0.lastPathComponent.hasSuffix(suffix) }
    let folders = ([folder] + listed).filter(\.isFolder)

    let schemas = (own + shared).sorted { $0.path < $1.path }
    guard !schemas.isEmpty else {
      throw Refusal(
        text: "target '\(target.name)' uses the plugin GenerateModels but has no schema file: "
          + "add one to the target, or to \(folder.path(percentEncoded: false))")
    }
    let root = package.path(percentEncoded: false)
    let heads = schemas.map { $0.path(percentEncoded: false) }
      .filter { OutputNaming.isHead(String($0.dropFirst(root.count))) }
    if let clash = OutputNaming.clashes(heads).first {
      throw Refusal(text: OutputNaming.refusal(clash.stem, clash.paths))
    }
    let config = package.appending(path: "schema.config.json")
    let configs = FileManager.default.fileExists(atPath: config.path(percentEncoded: false)) ? [config] : []
    let output = context.pluginWorkDirectoryURL
    let names = OutputNaming.outputs(stems: heads.map(OutputNaming.stem), target: target.name)
    var arguments = ["--out", output.path(percentEncoded: false), "--root", root]
    arguments += ["--module", module.moduleName, "--target", target.name]
    arguments += configs.flatMap { ["--config", $0.path(percentEncoded: false)] }
    if !shared.isEmpty { arguments += ["--complete", folder.path(percentEncoded: false)] }
    arguments += schemas.flatMap { ["--input", $0.path(percentEncoded: false)] } + heads
    return [
      .buildCommand(
        displayName: "Generating models of \(target.name)",
        executable: try context.tool(named: "trellis-generate").url, arguments: arguments,
        inputFiles: schemas + folders + configs,
        outputFiles: names.map { output.appending(path: $0) })
    ]
  }
}

struct Refusal: Error, CustomStringConvertible { let text: String; var description: String { text } }

extension URL {
  var isFolder: Bool { (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true }
}
