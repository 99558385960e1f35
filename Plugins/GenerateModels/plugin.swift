import Foundation
import PackagePlugin

/// Generates a target's models from the schema files in the target and in `Schemas/<TargetName>/` at the package root,
/// and the macros for the target's predicates.
@main struct GenerateModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) async throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let root = context.package.directoryURL
    let folder = root.appending(path: "Schemas/\(target.name)")
    let (beside, folders) = contents(of: folder)
    let inside = target.sourceFiles(withSuffix: "").map(\.url)
    let sources = inside.filter { $0.pathExtension == "swift" }
    let swift = sources.filter { OutputNaming.mayDeclareModels((try? String(contentsOf: $0, encoding: .utf8)) ?? "") }
    let files = ((inside + beside).filter { OutputNaming.isRead($0.path) } + swift).sorted { $0.path < $1.path }
    let heads = files.filter { swift.contains($0) || OutputNaming.isHead(relative($0, to: root)) }
    if let clash = OutputNaming.clashes(heads.map { relative($0, to: root) }).first {
      throw PluginFailure(description: OutputNaming.refusal(clash.stem, clash.paths))
    }
    let output = context.pluginWorkDirectoryURL
    let configuration = (inside + beside).filter { $0.lastPathComponent == OutputNaming.configuration }
    var arguments = [
      "--out", output.path, "--module", target.moduleName, "--target", target.name,
      "--root", root.path, "--access", target.kind == .generic ? "public" : "internal",
    ]
    arguments += configuration.flatMap { ["--config", $0.path] }
    arguments += sources.filter { !swift.contains($0) }.flatMap { ["--swift-file", $0.path] }
    arguments += folders.prefix(1).flatMap { ["--complete", $0.path] }
    arguments += files.filter { !heads.contains($0) }.flatMap { ["--input", $0.path] } + heads.map(\.path)
    return [
      .buildCommand(
        displayName: "Generating models of \(target.name)",
        executable: try context.tool(named: "trellis-generate").url, arguments: arguments,
        inputFiles: files + sources.filter { !swift.contains($0) } + configuration + folders,
        outputFiles: OutputNaming.outputs(heads: heads.map(\.path), target: target.name)
          .map { output.appending(path: $0) })
    ]
  }
}

/// The files and folders below a folder. Folders are build inputs too, because adding a file changes the folder.
private func contents(of folder: URL) -> (files: [URL], folders: [URL]) {
  let isThere = FileManager.default.fileExists(atPath: folder.path)
  guard isThere, let paths = FileManager.default.enumerator(atPath: folder.path) else { return ([], []) }
  let all = paths.compactMap { $0 as? String }.filter { !"/\($0)".contains("/.") }.sorted().map {
    folder.appending(path: $0)
  }
  let isFolder = { (url: URL) in (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false }
  return (all.filter { !isFolder($0) }, [folder] + all.filter(isFolder))
}

private func relative(_ file: URL, to root: URL) -> String {
  file.path.hasPrefix(root.path + "/") ? String(file.path.dropFirst(root.path.count + 1)) : file.path
}

private struct PluginFailure: Error, CustomStringConvertible { let description: String }
