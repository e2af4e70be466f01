/// stdout could not be written; the system's error code.
struct ResultError: Error {
    let code: Int32
}
