/// Readers of the formats in Apple's store files.
package enum AppleStore {}
