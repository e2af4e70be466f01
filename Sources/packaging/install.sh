#!/usr/bin/env bash
# Builds pushetl as a program that needs no Swift toolchain where it runs, and installs it, or makes a Debian package.
#
#   Sources/packaging/install.sh --deb DIR       DIR/pushetl_VERSION+TIME.COMMIT_ARCHITECTURE.deb
#   Sources/packaging/install.sh --build         builds, and no more
#   Sources/packaging/install.sh [--no-build] [--prefix PREFIX] [--destdir ROOT]
#
# --isal      unpacks gzip with ISA-L, several times as fast as with zlib, as a package does. It takes libisal-dev to build,
#             and libisal2 to run
# --zlib      unpacks gzip with zlib, as all but a package does
# --prefix    below which the program, its manual and completions go; /usr/local, unless given. The units for systemd go
#             to /usr/local/lib too, or to /usr/lib with the prefix /usr
# --destdir   a folder that stands for /, to put the files into
# --no-build  takes what was built last: build as yourself, install as root
#
# Everything is built in .build/packaging. The same commit, in the same folder, gives the same package.
set -euo pipefail
umask 022
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sources=${here%/Sources/packaging}
scratch=$sources/.build/packaging
made=$scratch/made

# The time of all that is made.
set_time() { export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$sources" log -1 --format=%ct)}; }
fail() { printf 'error: %s\n' "$1" >&2; exit 64; }

prefix=/usr/local destdir='' debs='' library='' wants_build=yes wants_install=yes
while [ $# -gt 0 ]; do
    case $1 in
        --prefix | --destdir | --deb)
            [ -n "${2:-}" ] || fail "$1 takes a folder"
            case $1 in
                --prefix)
                    [[ $2 = /* ]] || fail "--prefix takes a folder that begins with /"
                    prefix=${2%/} ;;
                --destdir) destdir=$(realpath -m "$2") ;;
                --deb) debs=$(realpath -m "$2") ;;
            esac
            shift ;;
        --isal) library=ISA-L ;;
        --zlib) library=zlib ;;
        --build) wants_install='' ;;
        --no-build) wants_build='' ;;
        -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit ;;
        *) fail "there is no option $1; --help lists them" ;;
    esac
    shift
done

[ -n "$library" ] || [ -z "$debs" ] || library=ISA-L

# The program, its manual and its completions.
build() {
    local folder shell options=(-c release --static-swift-stdlib --scratch-path "$scratch" --package-path "$sources"
        -debug-info-format none -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now)
    if [ "$library" = ISA-L ]; then
        [ -e /usr/include/isa-l.h ] || fail "libisal-dev is missing; apt-get install libisal-dev, or give --zlib"
        options+=(--traits ISAL)
    fi
    set_time
    swift build "${options[@]}" --product pushetl
    swift build "${options[@]}" --product generate-manual
    folder=$(swift build "${options[@]}" --show-bin-path)
    rm -rf "$made"
    mkdir -p "$made/man"
    strip --strip-all --remove-section=.comment --remove-section=.note -o "$made/pushetl" "$folder/pushetl"
    manual "$folder/generate-manual"
    for shell in bash zsh fish; do
        # The one for bash begins as a script would, but is read, not run.
        "$made/pushetl" --generate-completion-script "$shell" | sed '1{/^#!/d}' > "$made/$shell"
    done
    copyright > "$made/copyright"
}

# A page for each command. swift-argument-parser names them pushetl.run and the like, where `man pushetl run` looks for
# pushetl-run.
manual() {
    local name page
    "$1" "$made/pushetl" --multi-page --date "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)" -o "$made/man"
    # The commands that pushetl_spark.py gives are nobody else's.
    rm "$made/man/pushetl.help.1" "$made"/man/pushetl.spark-*.1
    for page in "$made"/man/pushetl.*.1; do
        name=${page##*/pushetl.}
        name=${name%.1}
        sed -e "s/^\.Nm \"pushetl $name\"/.Nm pushetl-$name/" -e "s/^\.Nm$/.Nm \"pushetl $name\"/" \
            -e 's/^\.Nd "\(.*\)"$/.Nd \1/' -e 's/^\.Ex -std.*/The exit codes are in\n.Xr pushetl 1 ./' "$page" > "$made/man/pushetl-$name.1"
        rm "$page"
        printf '.It Nm pushetl %s\n%s\n' "$name" "$(sed -n 's/^\.Nd //p' "$made/man/pushetl-$name.1")"
    done > "$made/commands"
    # The list of commands takes the place of the exit status, which the description has.
    { printf '.Sh COMMANDS\n.Bl -tag -width 6n\n'; cat "$made/commands"; printf '.El\n'; } > "$made/section"
    sed -i -e '/^\.Sh "EXIT STATUS"/,/^\.Ex/!b' -e "/^\.Ex/r $made/section" -e d "$made/man/pushetl.1"
    sed -i -e '/^\.[A-Z]/s/pushetl\.\([a-z]\)/pushetl-\1/' -e 's/PUSHETL\./PUSHETL-/' \
        -e '/^\.Xr pushetl-\(help\|spark-[a-z]*\) 1/d' \
        -e "s/^\.Os$/.Os pushetl/" -e 's/^$/.Pp/' "$made"/man/*.1
    rm "$made/commands" "$made/section"
}

# What the licences of the libraries in the program ask for.
copyright() {
    cat "$here/debian/copyright"
    printf '\n-- Yams\n\n'
    cat "$scratch/checkouts/Yams/LICENSE"
}

put() { install -D -m "$1" "$2" "$destdir$3"; }

# Puts a text, with the folders of this installation in it.
put_filled() {
    local file
    file=$(mktemp)
    sed -e "s|@bindir@|$prefix/bin|g" -e "s|@docdir@|$prefix/share/doc/pushetl|g" \
        -e "s|@datadir@|$prefix/share|g" "$1" > "$file"
    put 644 "$file" "$2"
    rm "$file"
}

install_files() {
    # systemd looks in these two places, whatever the prefix.
    local share=$prefix/share system=/usr/local/lib zsh=site-functions page
    [ "$prefix" != /usr ] || system=/usr/lib zsh=vendor-completions
    put 755 "$made/pushetl" "$prefix/bin/pushetl"
    for page in "$made"/man/*; do
        put 644 "$page" "$share/man/man1/${page##*/}"
        gzip -9nf "$destdir$share/man/man1/${page##*/}"
    done
    put 644 "$made/bash" "$share/bash-completion/completions/pushetl"
    put 644 "$made/zsh" "$share/zsh/$zsh/_pushetl"
    put 644 "$made/fish" "$share/fish/vendor_completions.d/pushetl.fish"
    put 644 "$made/copyright" "$share/doc/pushetl/copyright"
    for example in "$here"/examples/*; do put 644 "$example" "$share/doc/pushetl/examples/${example##*/}"; done
    put 644 "$sources/Pipelines/pushetl.schema.json" "$share/pushetl/pushetl.schema.json"
    put_filled "$here/pushetl.service" "$system/systemd/system/pushetl.service"
    put_filled "$here/pushetl.timer" "$system/systemd/system/pushetl.timer"
    put_filled "$here/sysusers.conf" "$system/sysusers.d/pushetl.conf"
    # What an operator has edited stays.
    [ -e "$destdir/etc/pushetl/push.yaml" ] || put_filled "$here/push.yaml" /etc/pushetl/push.yaml
}

make_package() {
    local root architecture version maintainer depends
    command -v dpkg-shlibdeps > /dev/null || fail "dpkg-shlibdeps is missing; apt-get install dpkg-dev"
    set_time
    maintainer=$(git -C "$sources" log -1 --format='%an <%ae>')
    if [ -n "${DEBEMAIL:-}" ]; then maintainer="${DEBFULLNAME:-pushetl} <$DEBEMAIL>"; fi
    # A later commit of the same version is a newer package.
    version=$("$made/pushetl" --version | cut -d ' ' -f 1)
    version+=+$(date -ud "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M).$(git -C "$sources" rev-parse --short=8 HEAD)
    architecture=$(dpkg --print-architecture)

    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    root=$work/root
    prefix=/usr destdir=$root
    install_files
    put 644 "$here/debian/lintian-overrides" /usr/share/lintian/overrides/pushetl
    printf 'pushetl (%s) stable; urgency=medium\n\n  * Built from commit %s.\n\n -- %s  %s\n' "$version" \
        "$(git -C "$sources" rev-parse --short=12 HEAD)" "$maintainer" "$(date -uR -d "@$SOURCE_DATE_EPOCH")" \
        | gzip -9n > "$root/usr/share/doc/pushetl/changelog.gz"

    # dpkg-shlibdeps looks for a source package around it.
    mkdir "$work/debian" "$root/DEBIAN"
    printf 'Source: pushetl\n\nPackage: pushetl\nArchitecture: any\n' > "$work/debian/control"
    depends=$(cd "$work" && dpkg-shlibdeps -O -e"root/usr/bin/pushetl" | sed -n 's/^shlibs:Depends=//p')
    sed -e "s|@version@|$version|" -e "s|@architecture@|$architecture|" -e "s|@maintainer@|$maintainer|" \
        -e "s|@depends@|$depends|" -e "s|@size@|$(find "$root" -type f -printf '%s\n' \
            | awk '{ size += int(($1 + 1023) / 1024) } END { print size }')|" \
        "$here/debian/control" > "$root/DEBIAN/control"
    printf '/etc/pushetl/push.yaml\n' > "$root/DEBIAN/conffiles"
    for script in postinst prerm postrm; do put 755 "$here/debian/$script" "/DEBIAN/$script"; done
    (cd "$root" && find etc usr -type f ! -path etc/pushetl/push.yaml -print0 | LC_ALL=C sort -z | xargs -0 md5sum) \
        > "$root/DEBIAN/md5sums"
    find "$root" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
    mkdir -p "$debs"
    dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$root" "$debs/pushetl_${version}_$architecture.deb"
}

[ -z "$wants_build" ] || build
[ -x "$made/pushetl" ] || fail "nothing is built yet; call $0 --build"
if [ -n "$library" ] && ! "$made/pushetl" --version | grep -q "($library "; then
    fail "what was built last is $("$made/pushetl" --version), without $library; leave --no-build out"
fi
[ -n "$wants_install" ] || exit 0
if [ -n "$debs" ]; then
    make_package
else
    install_files
    isal=''
    if "$made/pushetl" --version | grep -q ISA-L; then isal=' libisal2,'; fi
    cat <<EOF
Installed below ${destdir:-/}. It needs libsqlite3-0, zlib1g,$isal and tzdata. For the nightly run:
  systemd-sysusers && install -d -m 0750 -o pushetl -g pushetl /var/lib/pushetl
  editor /etc/pushetl/push.yaml
  systemctl daemon-reload && systemctl enable --now pushetl.timer
EOF
fi
