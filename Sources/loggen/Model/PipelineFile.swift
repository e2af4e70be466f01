/// The pipeline file that fits the logs, written beside them.
struct PipelineFile {
    let plan: Plan

    var text: String {
        """
        # The logs that loggen wrote here, seed \(plan.seed). Use it with
        #   pushetl --pipeline push.yaml
        version: 1
        timezone: \(plan.zone.name)
        output: warehouse
        dedup:
          window_days: \(plan.windowDays)
        deliveries:
          files: deliveries/*.csv
        sources:

        """ + plan.kinds.map(source).joined()
    }

    private func source(_ kind: Kind) -> String {
        let layout =
            switch plan.layout {
            case .nginx: "'\(Layout.nginxFormat)'"
            case .json: "json"
            case _ where kind != .collector: "body"
            case .apache: "'\(Layout.apacheFormat)'"
            default: plan.layout.rawValue
            }
        let own =
            switch kind {
            case .collector: plan.requireMcID ? "    require_mcid: true\n" : ""
            case .mzip: "    platform: ios\n"
            case .usersTrack: "    actions: {push_impression: impression, push_click: click, push_open: open}\n"
            }
        return """
              - name: \(kind.source)
                format: \(kind.rawValue)
                layout: \(layout)
                files: \(kind.rawValue)/%Y-%m-%d/*\(kind.suffix)
            \(own)
            """
    }
}
