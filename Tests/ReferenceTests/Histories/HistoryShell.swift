import Foundation

/// The commands of the shell that the steps of a history use.
enum HistoryShell {
    /// Those that some commands use.
    static func functions(for commands: String) -> String {
        functions.components(separatedBy: "\n\n").filter { function in
            let name = function.firstMatch(of: #/(?m)^(\w+)\(\)/#)?.1 ?? ""
            return name == "pushetl" || commands.contains("\(name) ")
        }.joined(separator: "\n")
    }

    /// `PUSHETL` is the program. A command that takes 20 seconds is taken to hang: it ends with 124.
    static let functions = #"""
        pushetl() { timeout -k 1 20 "$PUSHETL" "$@"; }

        kill_after() { local seconds=$1; shift; timeout -s KILL "$seconds" "$PUSHETL" "$@"; }

        # Kills the program before it renames or removes a file for the so manieth time.
        killed_at() { LD_PRELOAD=$CLOCK_LIBRARY KILL_AT=$1 timeout -k 1 20 "$PUSHETL" "${@:2}"; }

        # Runs the program on another day.
        at() { LD_PRELOAD=$CLOCK_LIBRARY CLOCK="$1 12:00:00" TZ=UTC timeout -k 1 20 "$PUSHETL" "${@:2}"; }

        # Runs a command while another one works on the same output.
        beside() { pushetl $1 >/dev/null 2>&1 & shift; "$@"; local code=$?; wait $!; return $code; }

        # Runs a command while sqlite3 has push.db open in a transaction.
        while_open() {
            local sql=$1 code; shift
            if ! [ -f out/push.db ]; then "$@"; return; fi
            mkfifo hold
            timeout 90 sqlite3 out/push.db <hold >held 2>&1 & local holder=$!
            exec 3>hold
            printf '%s\n.print ready\n' "$sql" >&3
            until grep -q ready held 2>/dev/null; do kill -0 $holder 2>/dev/null || break; sleep 0.005; done
            "$@" 3>&-; code=$?
            exec 3>&-
            wait $holder
            rm -f hold held
            return $code
        }

        # Statements for push.db, or for the file after them.
        sql() { local file=${2:-out/push.db}; [ -f "$file" ] && timeout 20 sqlite3 "$file" "$1"; }

        # The same without an end: sqlite3 is killed in the middle of a transaction.
        crashed_sql() {
            local file=${2:-out/push.db}
            [ -f "$file" ] && printf 'pragma cache_size = 1;\nbegin immediate;\n%s\n.shell kill -9 $PPID\n' "$1" |
                timeout 20 sqlite3 "$file"
        }

        # The file with a number among those given, round and round.
        nth() { local number=$1; shift; local files=("$@"); echo "${files[number % $#]}"; }

        # Changes the bits of one byte: the file, how many thousandths of it lie before that byte, the bits.
        flip() {
            [ -f "$1" ] && [ -s "$1" ] || return
            local place=$(( $(stat -Lc %s "$1") * $2 / 1000 ))
            local byte=$(od -An -tu1 -j "$place" -N 1 "$1")
            printf "\\x$(printf %02x $((byte ^ $3)))" | dd of="$1" bs=1 seek="$place" conv=notrunc status=none
        }

        cut_to() { [ -f "$1" ] && truncate -s $(( $(stat -Lc %s "$1") * $2 / 1000 )) "$1"; }

        # The same at a place that is given in bytes.
        flip_at() {
            [ -f "$1" ] && [ "$(stat -Lc %s "$1")" -gt "$2" ] || return
            printf "\\x$(printf %02x $(($(od -An -tu1 -j "$2" -N 1 "$1") ^ $3)))" |
                dd of="$1" bs=1 seek="$2" conv=notrunc status=none
        }

        is_no_link() { [ ! -L "$1" ] && { [ ! -f "$1" ] || [ "$(stat -c %h "$1")" = 1 ]; }; }

        zero() { [ -f "$1" ] && head -c "$(stat -Lc %s "$1")" /dev/zero >zeros && cp zeros "$1"; }

        # The header of a journal whose transaction was not ended.
        hot_header() { printf '\xd9\xd5\x05\xf9\x20\xa1\x63\xd7'; head -c 600 /dev/zero | tr '\0' '\1'; }

        # Rotates the log files with a prefix: numbers, compresses, copies or exchanges them. None of it changes their lines.
        rotate() {
            local files=("$2"*) index file
            for ((index = ${#files[@]} - 1; index >= 0; index--)); do
                file=${files[index]}
                [ -f "$file" ] && [ ! -L "$file" ] && [ -s "$file" ] || continue
                case $1 in
                number) mv "$file" "$file.1" ;;
                copy) cp "$file" "$file.1" && rm "$file" ;;
                exchange)
                    [ $index -gt 0 ] && mv "$file" exchanged && mv "${files[index - 1]}" "$file" &&
                        mv exchanged "${files[index - 1]}" ;;
                *)
                    # Compressing what is damaged or of another kind makes another file.
                    [ "$(head -c 2 "$file")" != PK ] && unpack "$file" >unpacked && [ -s unpacked ] || continue
                    # Under its own name a file with other bytes would have changed.
                    case $1 in
                    plain) cp unpacked "$file.txt" ;;
                    gzip) gzip -n <unpacked >"$file.gz" ;;
                    zstd) zstd -qc <unpacked >"$file.zst" ;;
                    *) { head -n 1 unpacked | gzip -n; tail -n +2 unpacked | zstd -qc; } >"$file.2" ;;
                    esac
                    rm "$file" ;;
                esac
            done
            rm -f unpacked
        }
        unpack() {
            case $(od -An -tx1 -N 2 "$1") in
            " 1f 8b") gzip -dc "$1" 2>/dev/null ;;
            " 28 b5") zstd -qdc "$1" 2>/dev/null ;;
            *) cat "$1" ;;
            esac
        }

        # Puts a folder, a FIFO or a link in place of a file.
        replace() { rm -rf "$2"; case $1 in folder) mkdir "$2" ;; fifo) mkfifo "$2" ;; *) ln -s "$1" "$2" ;; esac; }

        swap() { [ -e "$1" ] && [ -e "$2" ] && mv "$1" swapped && mv "$2" "$1" && mv swapped "$2"; }

        hits() { printf '192.0.2.1 - - [%s] "GET /r/?id=%s HTTP/1.1" 200 0 "-" "%s"\n' "$@"; }

        # So many hits at a time, of one action, each of its own message.
        many() { seq "$1" | sed "s|.*|192.0.2.1 - - [$2] \"GET /r/?id=h&,d1,$3 HTTP/1.1\" 200 0 \"-\" \"-\"|"; }
        """#
}
