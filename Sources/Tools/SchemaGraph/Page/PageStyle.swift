/// The page style around the drawing, for screen and print.
enum PageStyle {
  static let text = """
    *{box-sizing:border-box}
    html,body{margin:0;height:100%;background:var(--page);color:var(--text);\
    font:14px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif}
    body{display:flex;flex-direction:column;overflow:hidden}
    header{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center;padding:9px 16px;background:var(--card);\
    border-bottom:1px solid var(--rim)}
    h1{font-size:16px;margin:0;font-weight:700;overflow-wrap:anywhere}
    .facts{color:var(--soft);font-size:13px;flex:1 1 auto}
    button,input{font:inherit;color:var(--text);background:var(--page);border:1px solid var(--rim);border-radius:8px;height:32px}
    button{min-width:34px;padding:0 10px;cursor:pointer}
    button:hover{border-color:var(--accent)}
    input{width:min(230px,40vw);padding:0 10px}
    :focus-visible{outline:2px solid var(--accent);outline-offset:1px}
    .tools{display:flex;flex-wrap:wrap;gap:6px;align-items:center}
    #theme{white-space:nowrap}
    #found{min-width:58px;color:var(--soft);font-size:13px;font-variant-numeric:tabular-nums}
    main{position:relative;flex:1;min-height:0}
    svg.diagram{display:block;width:100%;height:100%;cursor:grab;touch-action:none;user-select:none;-webkit-user-select:none}
    svg.diagram.moving{cursor:grabbing}
    .card{cursor:pointer;outline:none}
    .card:focus-visible .rim{stroke:var(--accent);stroke-width:3}
    .card:hover .rim{stroke:var(--accent)}
    .card.chosen .rim{stroke:var(--accent);stroke-width:3}
    .far .row,.far .kind,.far text.pill{opacity:.3}
    .far .name{font-size:var(--far);transform:translateY(calc((var(--far) - 14px)*.55))}
    .card,.edge{transition:opacity .15s}
    .away{opacity:.13}
    .edge.near .line{stroke-width:3.4}
    .row.hit .back{fill:var(--hit)}.card.hit .head{fill:var(--hit)}
    .card.current .rim{stroke:var(--accent);stroke-width:4}
    details{position:absolute;left:12px;bottom:12px;max-width:min(430px,calc(100% - 24px));max-height:calc(100% - 24px);overflow:auto;\
    background:var(--card);border:1px solid var(--rim);border-radius:10px;font-size:13px;box-shadow:0 2px 12px rgba(0,0,0,.12)}
    summary{padding:7px 13px;cursor:pointer;font-weight:600}
    .legend{display:grid;grid-template-columns:auto 1fr;gap:5px 12px;align-items:center;padding:2px 13px 11px;margin:0}
    .legend dt,.legend dd{margin:0}.legend svg{display:block;width:62px;height:20px}
    .legend dt.word{font-size:11px;color:var(--chiptext);background:var(--chip);border-radius:7px;padding:0 7px;justify-self:start}
    kbd{font:11px ui-monospace,Menlo,Consolas,monospace;border:1px solid var(--rim);border-radius:4px;padding:0 4px}
    .empty{position:absolute;inset:0;display:grid;place-items:center;color:var(--soft)}
    .visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    @media (max-width:640px){.facts,#found:empty{display:none}header{padding:7px 10px}}
    @media (prefers-reduced-motion:reduce){.card,.edge{transition:none}}
    @media print{@page{size:landscape;margin:8mm}html,body{height:auto;background:#fff;overflow:visible;display:block}\
    .tools,details:not([open]){display:none}header{border:0}main{height:auto}\
    svg.diagram{height:auto;max-height:175mm}details{position:static;box-shadow:none;margin-top:4mm}\
    text.name{font-size:14px!important;transform:none!important}.row{opacity:1!important}\
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}.away{opacity:1}}
    """
}
