/// The style sheet of the page. It uses the system's fonts, so that nothing is loaded.
///
/// Colours can be told apart by people who see few of them, and lines by their dashes and markers as well.
enum PageStyle {
    static let sheet = colours + text + tables + charts + widths

    private static let colours = """
        :root{color-scheme:light dark;--ink:#1c2128;--soft:#586069;--line:#d8dee4;--page:#fff;--panel:#f5f7f9;
        --blue:#0a5da8;--grey:#626b75;--orange:#ad4600;--green:#00705c;--tint:#dce9f5;--bar:#3f83bf;--band:#f3f5f7;--amber:#fff3d6;
        --h0:#f2f5f8;--h1:#cfe1f1;--h2:#9cc3e3;--h3:#4f93c9;--h4:#0a4f8f;--h3t:#06182a;--h4t:#fff;--shade:#0004}
        @media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#a3adb8;--line:#343c46;--page:#11151a;--panel:#1a2027;
        --blue:#70b8f5;--grey:#a0a9b3;--orange:#ffa35c;--green:#4fd1b0;--tint:#1c344b;--bar:#4a90cf;--band:#181d23;--amber:#4a3a10;
        --h0:#1a2027;--h1:#163450;--h2:#1d5584;--h3:#4590ce;--h4:#a8d4fa;--h3t:#061320;--h4t:#061320;--shade:#fff6}}
        @media print{:root{color-scheme:light;--ink:#1c2128;--soft:#586069;--line:#d8dee4;--page:#fff;--panel:#f5f7f9;
        --blue:#0a5da8;--grey:#626b75;--orange:#ad4600;--green:#00705c;--tint:#dce9f5;--bar:#3f83bf;--band:#f3f5f7;--amber:#fff3d6;
        --h0:#f2f5f8;--h1:#cfe1f1;--h2:#9cc3e3;--h3:#4f93c9;--h4:#0a4f8f;--h3t:#06182a;--h4t:#fff;--shade:#0000}}

        """

    private static let text = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
        -webkit-print-color-adjust:exact;print-color-adjust:exact}
        header,main,footer{max-width:1088px;margin:0 auto;padding:0 24px}
        header{padding-top:36px}
        h1{font-size:36px;line-height:1.2;font-weight:650;letter-spacing:-.015em;margin:0}
        h2{font-size:21px;line-height:1.3;font-weight:650;letter-spacing:-.005em;margin:0 0 16px}
        h3{font-size:16px;font-weight:650;margin:32px 0 8px}
        p,ul{margin:0 0 8px;max-width:84ch}
        ul{padding-left:20px}
        li{margin-bottom:6px}
        a{color:var(--blue)}
        section{margin:72px 0 0}
        .over{color:var(--soft);margin:0;font-size:14px}
        .under,.note,figcaption,footer{color:var(--soft);font-size:14px}
        .under{margin-top:6px}
        section.trust{margin-top:24px}
        .untitled h2{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .trust p{font-size:14px;color:var(--soft);margin-bottom:6px;max-width:150ch}
        .trust figure{margin-top:12px}
        .trust .lead{font-size:16px;color:var(--ink)}
        .pill{display:inline-block;padding:0 10px;margin-right:4px;border-radius:12px;background:var(--tint);font-size:14px;font-weight:600}
        .pill.check{background:var(--amber)}
        #findings,#headline{margin-top:28px}#findings h2{margin-bottom:8px}.operator{margin-top:72px}.operator section:first-child{margin-top:36px}#trend{margin-top:36px}#trend h2{margin-bottom:8px}
        .cards{display:grid;grid-template-columns:repeat(var(--columns),minmax(0,1fr));gap:0 16px;margin:0 0 12px;border-bottom:1px solid var(--line)}
        .card{padding:12px 0;border-top:1px solid var(--line)}
        .card dt{font-size:14px;color:var(--soft)}
        .card dd{margin:0;overflow-wrap:anywhere;font-size:14px;color:var(--soft);font-variant-numeric:tabular-nums}
        .card .big{font-size:30px;line-height:1.25;font-weight:650;letter-spacing:-.015em;color:var(--ink)}
        .card .change{margin-top:4px}
        .card b{color:var(--ink);font-weight:650}
        .words{display:grid;grid-template-columns:1fr 1fr;gap:16px 40px;margin:0}
        .words dt{font-weight:650;font-size:14px}
        .words dd{margin:0;color:var(--soft);font-size:14px}
        footer{margin-top:64px;padding-top:16px;padding-bottom:56px}
        code{font:14px/1.4 ui-monospace,"SF Mono",Menlo,Consolas,monospace}

        """

    private static let tables = """
        details{margin-top:8px;font-size:14px}
        summary{color:var(--soft);cursor:pointer;width:fit-content}
        summary:hover{color:var(--ink)}
        :focus-visible{outline:2px solid var(--blue);outline-offset:2px}
        .scroll{overflow-x:auto;margin-top:8px;position:relative;background:linear-gradient(var(--page),var(--page)) 0/28px 100% no-repeat local,
        linear-gradient(var(--page),var(--page)) 100%/28px 100% no-repeat local,linear-gradient(90deg,var(--shade),transparent) 0/16px 100% no-repeat,
        linear-gradient(270deg,var(--shade),transparent) 100%/16px 100% no-repeat}
        table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums;min-width:50%}
        caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        th,td{padding:6px 0 6px 20px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap;vertical-align:baseline}
        thead th{font-weight:400;color:var(--soft);white-space:normal;vertical-align:bottom;line-height:1.3}
        th:first-child{padding-left:0;text-align:left;font-weight:400;white-space:normal;min-width:96px;max-width:420px;overflow-wrap:anywhere}
        .t{text-align:left}
        td.t{white-space:normal;min-width:72px;max-width:560px}
        #deliveries table{width:100%}
        .name{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;line-clamp:3;overflow:hidden;overflow-wrap:anywhere}
        b.name{display:inline;font-weight:600}
        code.id{color:var(--soft)}
        .rate{display:inline-block;min-width:148px;background:linear-gradient(var(--tint),var(--tint)) left/calc(var(--share)*.6) 100% no-repeat;padding:0 0 0 6px}

        """

    private static let charts = """
        figure{margin:0}
        figcaption{margin-top:10px;max-width:96ch}
        svg{display:block;max-width:100%;height:auto;overflow:visible}
        svg text{font-size:13px;fill:var(--ink);font-variant-numeric:tabular-nums;unicode-bidi:isolate}
        .middle{text-anchor:middle}.end{text-anchor:end}
        svg .soft{fill:var(--soft);font-size:12px}
        svg .value{font-weight:600}
        svg .name{font-weight:600}
        text.blue{fill:var(--blue)}text.grey{fill:var(--grey)}text.orange{fill:var(--orange)}text.green{fill:var(--green)}
        .rule{stroke:var(--line)}.base{stroke:var(--soft)}
        .weekend{fill:var(--band)}
        .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
        .line.blue{stroke:var(--blue)}.line.grey{stroke:var(--grey);stroke-dasharray:1 5}
        .line.orange{stroke:var(--orange);stroke-dasharray:7 4}.line.green{stroke:var(--green);stroke-dasharray:10 4 2 4}
        .marker{stroke-width:1.5}
        .marker.blue{fill:var(--blue);stroke:var(--blue)}.marker.grey{fill:var(--grey);stroke:var(--grey)}
        .marker.orange{fill:var(--orange);stroke:var(--orange)}.marker.green{fill:var(--green);stroke:var(--green)}
        .marker.hollow{fill:var(--page)}
        .bar{fill:var(--bar)}.track{fill:var(--band)}.link{fill:var(--tint)}
        .compared{stroke:var(--ink);stroke-width:2}
        .h0{fill:var(--h0)}.h1{fill:var(--h1)}.h2{fill:var(--h2)}.h3{fill:var(--h3)}.h4{fill:var(--h4)}
        svg .cell{font-size:11px}
        svg .t3{fill:var(--h3t)}svg .t4{fill:var(--h4t)}
        .date.complete{fill:var(--bar)}.date.young{fill:var(--tint);stroke:var(--bar)}
        .date.fault{fill:var(--amber);stroke:var(--orange)}.date.gap{fill:none;stroke:var(--line)}
        svg .letter{font-size:11px;font-weight:600}

        """

    private static let widths = """
        .narrow{display:none}
        .pair th,.pair td{padding-left:9px;font-size:13px}.pair th:first-child{min-width:64px;padding-left:0}
        .pair{display:grid;grid-template-columns:504px 504px;gap:0 32px}
        @media (max-width:1087px){.pair{display:block}.words{grid-template-columns:1fr}.cards{grid-template-columns:repeat(3,minmax(0,1fr))}}
        @media (max-width:640px){.wide{display:none}.narrow{display:block}header,main,footer{padding-left:16px;padding-right:16px}
        header{padding-top:24px}h1{font-size:28px}section{margin-top:56px}.cards{grid-template-columns:repeat(2,minmax(0,1fr))}
        th,td{padding-left:16px}.rate{min-width:88px}}
        @media print{@page{margin:14mm}header,main,footer{padding:0}header{padding-top:0}section{margin-top:36px}
        .cards{grid-template-columns:repeat(var(--columns),minmax(0,1fr))}.card{padding:8px 0}.card .big{font-size:21px}.card dd,.card dt{font-size:12px}
        details:not([open]){display:none}figure,tr,.card,.words>div{break-inside:avoid}h2,h3{break-after:avoid}
        .scroll{overflow:visible}th,td{padding-left:12px;font-size:12px}.rate{min-width:88px}}
        """
}
