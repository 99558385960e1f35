/// The drawing style in light and dark mode.
enum DiagramStyle {
  private static let light = """
    --page:#f6f7f9;--card:#ffffff;--head:#e8eef8;--headtext:#14233d;--text:#1c2430;--soft:#5d6878;--rim:#c4ccd8;\
    --enum:#efe9fb;--struct:#e2f3f1;--chip:#edf0f4;--chiptext:#47525f;--accent:#2563eb;--row:#f0f4fb;\
    --nullify:#66758a;--cascade:#c62828;--deny:#7b3fc4;--noaction:#a06000;--inherit:#3b4656;\
    --added:#1a7f37;--addedback:#e4f7e8;--removed:#cf222e;--removedback:#fdeceb;\
    --renamed:#0969da;--renamedback:#e3f1fe;--changed:#8a5a00;--changedback:#fff6d6;--hit:#ffe38a
    """
  private static let dark = """
    --page:#11151b;--card:#1a2029;--head:#243149;--headtext:#e7eefb;--text:#dde4ee;--soft:#97a3b4;--rim:#3a4553;\
    --enum:#322a48;--struct:#1f3a39;--chip:#2a323d;--chiptext:#b6c1cf;--accent:#6ea8ff;--row:#232c39;\
    --nullify:#8593a6;--cascade:#ff7b72;--deny:#c297ff;--noaction:#e3b341;--inherit:#aab6c6;\
    --added:#56d364;--addedback:#16301d;--removed:#ff7b72;--removedback:#3a1a1c;\
    --renamed:#79c0ff;--renamedback:#15293f;--changed:#e3b341;--changedback:#33290f;--hit:#6b5500
    """

  static let colours = """
    :root{color-scheme:light;\(light)}
    @media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;\(dark)}}
    :root[data-theme=dark]{color-scheme:dark;\(dark)}
    @media print{:root,:root[data-theme=dark],:root:not([data-theme=light]){color-scheme:light;\(light);--page:#fff}}
    """

  static let drawing = """
    .diagram text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif;fill:var(--text)}
    .diagram .t{font:11.5px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;\
    text-anchor:end;fill:var(--soft)}
    .diagram .box{fill:var(--card)}
    .diagram .rim{fill:none;stroke:var(--rim);stroke-width:1.2;pointer-events:none}
    .diagram .head{fill:var(--head)}
    .diagram .enum .head{fill:var(--enum)}.diagram .struct .head{fill:var(--struct)}
    .diagram .name{font-size:14px;font-weight:650;fill:var(--headtext)}
    .diagram .kind{font-size:10px;text-anchor:end;fill:var(--soft);letter-spacing:.06em}
    .diagram .n{font-size:13px}
    .diagram .relationship .n{font-weight:550}
    .diagram .constraint .n{font-style:italic;fill:var(--soft)}
    .diagram .back{fill:transparent}
    .diagram .dot{fill:var(--accent)}
    .diagram rect.chip{fill:var(--chip)}.diagram rect.unique,.diagram rect.preserved{fill:var(--head)}
    .diagram text.chip{font-size:9.5px;text-anchor:middle;fill:var(--chiptext)}
    .diagram .note{font-size:10.5px;font-style:italic;fill:var(--soft)}
    .diagram .mark{font-size:13px;font-weight:700;text-anchor:middle}
    .diagram .caption{font-size:13px;font-weight:600;fill:var(--soft)}
    .diagram .title{font-size:18px;font-weight:700;fill:var(--headtext)}
    .diagram .edge path,.diagram .edge circle{fill:none}
    .diagram .line{stroke:var(--nullify);stroke-width:1.5}
    .diagram .wide{stroke:transparent;stroke-width:12}
    .diagram .foot,.diagram .ring{stroke:var(--nullify);stroke-width:1.5}
    .diagram .edge .ring{fill:var(--page)}.diagram .edge .start{fill:var(--nullify)}
    .diagram .cascade .line{stroke:var(--cascade);stroke-width:2.4}
    .diagram .cascade .foot,.diagram .cascade .ring{stroke:var(--cascade)}.diagram .cascade .start{fill:var(--cascade)}
    .diagram .deny .line{stroke:var(--deny);stroke-width:2;stroke-dasharray:9 5}
    .diagram .deny .foot,.diagram .deny .ring{stroke:var(--deny)}.diagram .deny .start{fill:var(--deny)}
    .diagram .noAction .line{stroke:var(--noaction);stroke-width:2;stroke-dasharray:1.5 4;stroke-linecap:round}
    .diagram .noAction .foot,.diagram .noAction .ring{stroke:var(--noaction)}.diagram .noAction .start{fill:var(--noaction)}
    .diagram .inheritance .line{stroke:var(--inherit);stroke-width:1.5}
    .diagram .inheritance .triangle{fill:var(--page);stroke:var(--inherit);stroke-width:1.5}
    .diagram rect.pill{fill:var(--page);stroke:currentColor;stroke-width:1.2}
    .diagram text.pill{font-size:10px;font-weight:650;text-anchor:middle}
    .diagram rect.cascade{stroke:var(--cascade)}.diagram text.cascade{fill:var(--cascade)}
    .diagram rect.deny{stroke:var(--deny)}.diagram text.deny{fill:var(--deny)}
    .diagram rect.noAction{stroke:var(--noaction)}.diagram text.noAction{fill:var(--noaction)}
    \(changes)
    """

  /// The styles of changed cards, rows and lines.
  private static let changes =
    ["added", "removed", "renamed", "changed"].map { kind in
      """
      .diagram .card.\(kind) .rim{stroke:var(--\(kind));stroke-width:2.2}.diagram .card.\(kind) .head{fill:var(--\(kind)back)}
      .diagram .card.\(kind) .name{fill:var(--\(kind))}
      .diagram .row.\(kind) .back{fill:var(--\(kind)back)}.diagram .row.\(kind) .mark{fill:var(--\(kind))}
      .diagram .edge.\(kind) .line{stroke:var(--\(kind));stroke-width:3}.diagram .edge.\(kind) .foot,.diagram .edge.\(kind) .ring{stroke:var(--\(kind))}
      .diagram rect.pill.\(kind){stroke:var(--\(kind));fill:var(--\(kind)back)}.diagram text.pill.\(kind){fill:var(--\(kind))}
      """
    }.joined(separator: "\n") + """

      .diagram .row.removed .n,.diagram .card.removed .name{text-decoration:line-through}
      .diagram .card.removed .rim{stroke-dasharray:7 4}
      """
}
