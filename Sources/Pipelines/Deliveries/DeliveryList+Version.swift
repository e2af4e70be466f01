import Hashing
import Partitions

extension DeliveryList {
    /// Lists with the same deliveries have the same version.
    var version: String {
        var (hash, bytes) = (FileHash(), 0)
        for delivery in self {
            for counts in delivery.counts {
                let fields = [
                    delivery.id, counts.platform?.name, delivery.label, delivery.campaign, delivery.variant,
                    delivery.sentAt.map(String.init), counts.sent.map(String.init), counts.delivered.map(String.init),
                ]
                // The lengths keep fields apart.
                let text = fields.map { "\($0?.utf8.count ?? 0) \($0 ?? "")" }.joined(separator: " ")
                hash.add(text.utf8.span)
                bytes += text.utf8.count
            }
        }
        return hash.text(byteCount: bytes)
    }
}
