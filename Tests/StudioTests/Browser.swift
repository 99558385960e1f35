import Foundation
import Testing

/// A headless Chromium that receives commands over a pipe.
final class Browser {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let profile = FileManager.default.temporaryDirectory.appending(path: "chromium-\(UUID().uuidString)")
  private var received = Data()
  private var number = 0

  static let isInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/chromium") }

  init() throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The browser reads commands from descriptor 3 and answers at descriptor 4.
    let options = "--headless --no-sandbox --disable-gpu --remote-debugging-pipe --no-first-run"
    process.arguments = [
      "sh", "-c", "exec chromium \(options) --user-data-dir=\"$0\" about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1",
      profile.path,
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // A browser that hangs would otherwise stop all tests.
    let process = process
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 300)
      if process.isRunning { process.terminate() }
    }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: profile)
  }

  /// Sends a command and returns the result.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:], session: String? = nil) throws -> [String: Any] {
    number += 1
    var message: [String: Any] = ["id": number, "method": method, "params": parameters]
    message["sessionId"] = session
    try input.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
    while true {
      guard let answer = try nextMessage() else { throw Failure(description: "Chromium has ended") }
      guard answer["id"] as? Int == number else { continue }
      if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  private func nextMessage() throws -> [String: Any]? {
    while true {
      if let end = received.firstIndex(of: 0) {
        let message = received[received.startIndex..<end]
        received = Data(received[(end + 1)...])
        return try JSONSerialization.jsonObject(with: message) as? [String: Any]
      }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { return nil }
      received += data
    }
  }

  func tab(_ address: String) throws -> Tab {
    let target = try call("Target.createTarget", ["url": address])
    let session = try call("Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])
    let tab = Tab(browser: self, session: try #require(session["sessionId"] as? String))
    try tab.wait(for: "document.readyState === 'complete'")
    return tab
  }
}

/// A page of a browser.
struct Tab {
  let browser: Browser
  let session: String

  /// Returns the value of a JavaScript expression, or of the promise that it makes, as text.
  @discardableResult
  func run(_ script: String) throws -> String {
    let parameters: [String: Any] = [
      "expression": script, "awaitPromise": true, "returnByValue": true, "userGesture": true,
    ]
    let answer = try browser.call("Runtime.evaluate", parameters, session: session)
    if let failure = answer["exceptionDetails"] { throw Browser.Failure(description: "\(script): \(failure)") }
    return ((answer["result"] as? [String: Any])?["value"]).map { "\($0)" } ?? ""
  }

  /// Waits until a condition is true. While the page is being loaded, the condition may fail.
  func wait(for condition: String, seconds: Double = 15) throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while (try? run("String(Boolean(\(condition)))")) != "true" {
      guard ContinuousClock.now < end else {
        throw Browser.Failure(description: "\(condition) is never true: \(try run("document.body.innerText"))")
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  /// Waits until the page shows a text.
  func wait(forText text: String) throws { try wait(for: "document.body.innerText.includes(\(Self.quoted(text)))") }

  /// Presses a key, such as `e` or `Escape`.
  func press(_ key: String, control: Bool = false) throws {
    for type in ["keyDown", "keyUp"] {
      var parameters: [String: Any] = ["type": type, "key": key, "modifiers": control ? 2 : 0]
      if !control, key.count == 1, type == "keyDown" { parameters["text"] = key }
      try browser.call("Input.dispatchKeyEvent", parameters, session: session)
    }
  }

  /// Replaces the text of a field, as typing does.
  func fill(_ identifier: String, _ text: String) throws {
    let field = "document.getElementById(\(Self.quoted(identifier)))"
    try wait(for: field)
    try run("\(field).focus(), \(field).select()")
    try browser.call("Input.insertText", ["text": text], session: session)
  }

  /// Clicks the first visible button or link with a text.
  func click(_ text: String, in part: String = "") throws {
    let buttons = "[...document.querySelectorAll('\(part) button, \(part) a, \(part) summary')]"
    let found = "\(buttons).find((each) => each.offsetParent && each.textContent.trim() === \(Self.quoted(text)))"
    try wait(for: found)
    try run("\(found).click()")
  }

  static func quoted(_ text: String) -> String {
    let json = try? JSONSerialization.data(withJSONObject: text, options: .fragmentsAllowed)
    return String(decoding: json ?? Data("\"\"".utf8), as: UTF8.self)
  }
}
