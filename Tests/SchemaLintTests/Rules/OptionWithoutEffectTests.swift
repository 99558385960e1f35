import Testing

@Suite struct OptionWithoutEffectTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Person {
        @Attribute(.allowsCloudEncryption) var phone: String
        //         ^~~~~~~~~~~~~~~~~~~~~~ info[TYP024]: '.allowsCloudEncryption' has no effect: the value is stored unencrypted
        @Attribute(.unique, .spotlight) var name: String
        //                  ^~~~~~~~~~ info[TYP024]: '.spotlight' has no effect: the value is not added to the system search index
      }
      """#,
      of: "TYP024")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Person { @Attribute(.unique, .preserveValueOnDeletion) var name: String; var phone: String }
      """#)
  }
}
