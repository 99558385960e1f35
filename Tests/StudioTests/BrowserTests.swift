import Foundation
import StoreStudio
import TestSupport
import Testing
import Trellis

/// The page in a real browser, if Chromium is installed.
@Suite(.serialized, .enabled(if: Browser.isInstalled)) struct BrowserTests {
  private static let schema = """
    schema Shop 1.0.0

    @Model
    class Customer {
        var name: String
        var since: Date = .now
        @Relationship(deleteRule: .cascade, inverse: \\Order.customer) var orders: [Order] = []
    }

    @Model
    class Order {
        var number: Int
        var customer: Customer?
    }
    """

  /// Calls a closure with a store, the address of its studio, and a function that stops the server and starts it again.
  private func withStudio(
    _ body: (_ store: DraftStore, _ address: String, _ restart: (_ between: () throws -> Void) throws -> Void) throws
      -> Void
  ) throws {
    let store = try DraftStore(Self.schema)
    var server = try HTTPServer()
    let access = StudioAccess(port: server.port, token: StudioAccess.randomToken(), allowsWrites: true)
    func start(_ server: HTTPServer) {
      let api = store.api
      Thread.detachNewThread { server.run(refusing: access.refusal, api.response) }
    }
    start(server)
    defer { server.stop() }
    try body(store, access.address) { between in
      server.stop()
      try between()
      server = try HTTPServer(port: access.port)
      start(server)
    }
  }

  /// Opens a row's form.
  private func openForm(_ browser: Browser, _ address: String, _ entity: String, _ key: String) throws -> Tab {
    let tab = try browser.tab("\(address)#entity=\(entity)&of=\(entity)&row=\(key)")
    try tab.click("Edit", in: "#panel")
    try tab.wait(for: "document.getElementById('field \(entity == "Order" ? "number" : "name")')")
    return tab
  }

  private static let hasNoChanges = "!document.getElementById('changes').innerText.includes('Review')"

  @Test func aChangedValueIsSavedAndShown() throws {
    try withStudio { store, address, _ in
      let key = try store.insert("Customer", ["name": "Ada"])
      let browser = try Browser()
      let tab = try openForm(browser, address, "Customer", key)
      try tab.fill("field name", "Eve <b>")
      try tab.wait(forText: "1 change")
      #expect(try store.value("Customer", key, "name") == "Ada")
      try tab.press("s", control: true)
      try tab.wait(for: Self.hasNoChanges)
      #expect(try store.value("Customer", key, "name") == "Eve <b>")
      try tab.wait(for: "document.querySelector('[role=grid]').innerText.includes('Eve <b>')")
    }
  }

  @Test(.enabled(if: Repetitions.isThorough)) func theSavesOfOneTabReachTheOther() throws {
    try withStudio { store, address, _ in
      let key = try store.insert("Customer", ["name": "Ada"])
      let browser = try Browser()
      let first = try openForm(browser, address, "Customer", key)
      let second = try openForm(browser, address, "Customer", key)
      try second.fill("field name", "Second")
      try second.wait(forText: "1 change")
      try first.fill("field name", "First")
      try first.press("s", control: true)
      try first.wait(for: Self.hasNoChanges)
      try second.click("Save", in: "#changes")
      try second.wait(forText: "Another program or window has changed these values")
      for text in ["Ada", "First", "Second"] { try second.wait(forText: text) }
      try second.click("All mine", in: "dialog")
      try second.click("Save", in: "dialog")
      try second.wait(for: Self.hasNoChanges)
      #expect(try store.value("Customer", key, "name") == "Second")
      let third = try browser.tab("\(address)#entity=Customer")
      try third.wait(forText: "Second")
      _ = try store.insert("Customer", ["name": "Late"])
      try third.wait(forText: "Late")
    }
  }

  @Test(.enabled(if: Repetitions.isThorough)) func lineEndsAreKept() throws {
    try withStudio { store, address, _ in
      let key = try store.insert("Customer", ["name": "a\r\nb"])
      let browser = try Browser()
      let tab = try openForm(browser, address, "Customer", key)
      try tab.run("document.getElementById('field name').setSelectionRange(9, 9)")
      try tab.run("document.getElementById('field name').focus()")
      try browser.call("Input.insertText", ["text": "c\nd"], session: tab.session)
      try tab.wait(forText: "1 change")
      try tab.press("s", control: true)
      try tab.wait(for: Self.hasNoChanges)
      #expect(try store.value("Customer", key, "name") == "a\r\nbc\r\nd")
    }
  }

  @Test(.enabled(if: Repetitions.isThorough)) func aDeletionShowsItsConsequencesFirst() throws {
    try withStudio { store, address, _ in
      let key = try store.insert("Customer", ["name": "Ada"])
      for number in 1...3 { try store.insert("Order", ["number": "\(number)", "customer": key]) }
      let browser = try Browser()
      let tab = try browser.tab("\(address)#entity=Customer&of=Customer&row=\(key)")
      try tab.click("Delete…", in: "#panel")
      try tab.wait(forText: "Also deleted from Order: 3 rows")
      try tab.click("Delete", in: "dialog")
      try tab.wait(forText: "1 change")
      try store.insert("Order", ["number": "4", "customer": key])
      try tab.click("Save", in: "#changes")
      try tab.wait(forText: "Deleted from Order: 4 rows")
      try tab.click("Save", in: "dialog")
      try tab.wait(for: Self.hasNoChanges)
      try tab.wait(forText: "0 rows")
      #expect((try store.object("rows", ["entity": "Order"])["rows"] as? [Any])?.count == 0)
    }
  }

  @Test(.enabled(if: Repetitions.isThorough)) func aNewRowWithARelatedNewRowIsSaved() throws {
    try withStudio { store, address, _ in
      let browser = try Browser()
      let tab = try browser.tab("\(address)#entity=Customer")
      try tab.click("New row")
      try tab.fill("field name", "Ada")
      try tab.click("New…", in: "#panel")
      try tab.fill("field number", "17")
      try tab.wait(forText: "2 changes")
      try tab.press("s", control: true)
      try tab.wait(for: Self.hasNoChanges)
      #expect(try store.value("Order", "1", "customer") == "1")
      #expect(try store.value("Order", "1", "number") == "17")
    }
  }

  @Test(.enabled(if: Repetitions.isThorough)) func theDraftOutlivesTheServer() throws {
    try withStudio { store, address, restart in
      let key = try store.insert("Customer", ["name": "Ada"])
      let browser = try Browser()
      let tab = try openForm(browser, address, "Customer", key)
      try tab.fill("field name", "Eve")
      try restart {
        try tab.wait(forText: "The studio has ended")
        try tab.wait(forText: "1 change")
      }
      try tab.wait(for: "document.getElementById('banner').hidden")
      try tab.press("s", control: true)
      try tab.wait(for: Self.hasNoChanges)
      #expect(try store.value("Customer", key, "name") == "Eve")
    }
  }

  @Test(.enabled(if: Repetitions.isThorough)) func aReplacedStoreIsShown() throws {
    try withStudio { store, address, _ in
      try store.insert("Customer", ["name": "Ada"])
      let other = try DraftStore(Self.schema)
      try other.insert("Customer", ["name": "Restored"])
      let browser = try Browser()
      let tab = try browser.tab("\(address)#entity=Customer")
      try tab.wait(forText: "Ada")
      try Connection(other.url.path, .existing).execute("PRAGMA wal_checkpoint(TRUNCATE)")
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.url.path + suffix) }
      #expect(rename(other.url.path, store.url.path) == 0)
      try tab.wait(forText: "Restored")
      try tab.wait(for: "!document.body.innerText.includes('Ada')")
    }
  }

  @Test(.enabled(if: Repetitions.isThorough)) func aMillionRowsArePaged() throws {
    try withStudio { store, address, _ in
      let connection = try Connection(store.url.path, .existing)
      try connection.execute(
        """
        INSERT INTO "Order" ("id", "number") WITH RECURSIVE "n"("i") AS
        (SELECT 1 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < 1000000) SELECT "i", "i" FROM "n"
        """)
      let browser = try Browser()
      let tab = try browser.tab("\(address)#entity=Order&sort=number&descending=1")
      try tab.wait(forText: "1,000,000 rows")
      try tab.wait(for: "document.querySelector('[role=grid]').innerText.includes('999801')")
      try tab.run("document.querySelector('#main .scroller').scrollTop = 1e9")
      try tab.wait(for: "document.querySelector('[role=grid]').innerText.includes('999601')")
    }
  }

  @Test(.enabled(if: Repetitions.isThorough)) func foreignPagesHaveNoAccess() throws {
    try withStudio { store, address, _ in
      let key = try store.insert("Customer", ["name": "Ada"])
      let browser = try Browser()
      // This page has another origin, although it knows the address.
      let tab = try browser.tab("data:text/html,<p>Foreign</p>")
      let draft = #"{"deletes":[{"entity":"Customer","key":"\#(key)"}]}"#
      for options in [
        "{}", "{mode: 'no-cors'}", "{method: 'POST', mode: 'no-cors', body: \(Tab.quoted(draft))}",
        "{method: 'POST', headers: {'content-type': 'application/json'}, body: \(Tab.quoted(draft))}",
      ] {
        let result = try tab.run(
          "fetch('\(address)api/save', \(options)).then((r) => r.text(), () => 'refused')")
        #expect(["refused", ""].contains(result))
      }
      #expect(try store.value("Customer", key, "name") == "Ada")
    }
  }
}
