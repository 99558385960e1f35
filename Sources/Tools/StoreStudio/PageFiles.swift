import Foundation
import StudioPage

/// The files of the page, which are part of the program.
enum PageFiles {
  static func response(to path: [String]) -> HTTPResponse {
    let name = path == [""] ? "index.html" : path.joined(separator: "/")
    for index in 0..<studio_page_count() {
      let file = studio_page_file(index)
      guard let found = file.name, String(cString: found) == name, let bytes = file.bytes else { continue }
      return HTTPResponse(contentType: type(of: name), body: Data(bytes: bytes, count: file.count))
    }
    return .error(404, "there is no page '\(name)'")
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    default: "application/octet-stream"
    }
  }
}
