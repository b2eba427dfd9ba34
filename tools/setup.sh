# shellcheck shell=sh
# The virtual environment that ./zermelo and ./check share; to be sourced with $root set.
#
#   set_up run     what the program needs      requirements/run.txt
#   set_up test    what its tests need too     requirements/test.txt, which has all pins of run.txt
#
# A stamp in .venv says which pins are installed, for which Python. It is removed before anything
# is changed and written last, so an environment without a stamp is unfinished and is made anew.
# All messages go to stderr: stdout belongs to the program.

venv=$root/.venv
lock=$root/.venv.lock
setup_may_use_apt=${setup_may_use_apt:-no}

set_up() {
    if is_set_up "$1"; then return 0; fi
    take_lock
    # Another start may have finished while this one waited for the lock.
    if ! is_set_up "$1"; then install_requirements "$1"; fi
    release_lock
}

say() { printf 'zermelo: %s\n' "$*" >&2; }

give_up() {
    say "$*"
    release_lock
    exit 2
}

# Stamps are all that a later start pays for.

is_set_up() {
    [ -x "$venv/bin/python" ] && [ "$(installed "$1")" = "$(wanted "$1")" ]
}

installed() { cat "$venv/$1.stamp" 2>/dev/null || :; }

wanted() { printf '%s %s\n' "$(cksum <"$root/requirements/$1.txt")" "$(interpreter)"; }

# An upgrade of the system's Python leaves .venv with packages that the new one does not see.
interpreter() { readlink -f "$venv/bin/python"; }

stamp() {
    wanted "$1" >"$venv/$1.stamp.new" && mv -f "$venv/$1.stamp.new" "$venv/$1.stamp"
}

# An environment can be added to if the last set-up finished and its Python is still the same.
is_finished() {
    [ -x "$venv/bin/python" ] || return 1
    case "$(installed run)" in
        *" $(interpreter)") return 0 ;;
        *) return 1 ;;
    esac
}

install_requirements() {
    if is_finished; then
        say 'installing the packages that are new in .venv …'
    else
        make_venv
    fi
    rm -f "$venv/run.stamp" "$venv/test.stamp"
    logged "$venv/bin/python" -I -m pip install --quiet --no-input --disable-pip-version-check \
        --only-binary :all: --require-hashes --requirement "$root/requirements/$1.txt" ||
        give_up 'the packages could not be installed; see above for the reason, then start again.'
    if [ "$1" = test ]; then stamp test; fi
    stamp run
}

make_venv() {
    # What a link leads to belongs to somebody else, and would be cleared.
    if [ -L "$venv" ]; then
        give_up "$venv is a link to an environment that is not set up for this; remove the link."
    fi
    find_python
    find_venv
    say 'setting up in .venv; this happens once …'
    rm -f "$venv/run.stamp" "$venv/test.stamp"
    logged "$python" -I -m venv --clear --prompt zermelo "$venv" ||
        give_up "no virtual environment could be made in $venv; see above for the reason."
}

# Runs a command and shows what it said only if it failed.
logged() {
    if "$@" >"$lock/log" 2>&1 </dev/null; then return 0; fi
    cat "$lock/log" >&2
    return 1
}

find_python() {
    for python in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$python" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            return 0
        fi
    done
    found=$(python3 --version 2>/dev/null) || found='no python3'
    give_up "Python 3.11 or later is needed, and $found was found."
}

# Debian has the module venv in every Python, and what it needs in a package of its own.
has_venv() { "$python" -I -c 'import ensurepip, venv' 2>/dev/null; }

find_venv() {
    if has_venv; then return 0; fi
    if can_install; then
        say 'installing python3-venv …'
        apt_install python3-venv
        if has_venv; then return 0; fi
    fi
    give_up "Python's venv is missing here; this installs it: apt-get install -y python3-venv"
}

# The tests in a browser use Debian's Chromium, and are skipped where there is none.
has_chromium() {
    for browser in chromium chromium-browser google-chrome google-chrome-stable; do
        if command -v "$browser" >/dev/null; then return 0; fi
    done
    return 1
}

set_up_browser() {
    if has_chromium || ! can_install; then return 0; fi
    take_lock
    say 'installing chromium, for the tests in a browser …'
    apt_install --no-install-recommends chromium fonts-dejavu-core
    release_lock
    has_chromium || say 'there is no Chromium, so the tests in a browser will be skipped.'
}

# The long check sets documents with LaTeX.
set_up_tex() {
    if command -v pdflatex >/dev/null || ! can_install; then return 0; fi
    take_lock
    say 'installing LaTeX, for the tests that set documents with it …'
    apt_install --no-install-recommends texlive-latex-base texlive-latex-recommended \
        texlive-fonts-recommended
    release_lock
    command -v pdflatex >/dev/null || say 'there is no LaTeX, so its tests will be skipped.'
}

can_install() {
    [ "$setup_may_use_apt" = yes ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null
}

# Who is offline is told soon.
apt_install() {
    logged apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=20 update || :
    logged env DEBIAN_FRONTEND=noninteractive apt-get install -y "$@" || :
}

# One set-up at a time: who can make the directory has the lock.

holds_lock=no

take_lock() {
    waited=0
    until mkdir "$lock" 2>/dev/null; do
        if [ ! -d "$lock" ] && [ ! -w "$root" ]; then
            give_up "the first start makes .venv in $root, where nothing may be written."
        fi
        if [ "$waited" -eq 1 ]; then
            say "waiting for another start that is setting up (if there is none, remove $lock*) …"
        fi
        if lock_is_stale; then break_lock; fi
        sleep 1
        waited=$((waited + 1))
    done
    holds_lock=yes
    for signal in HUP INT TERM; do
        # shellcheck disable=SC2064  # the signal of this round is meant
        trap "release_lock; kill -s $signal \$\$" "$signal"
    done
    echo $$ >"$lock/owner"
}

release_lock() {
    trap - HUP INT TERM
    if [ "$holds_lock" = yes ]; then rm -rf "$lock"; fi
    holds_lock=no
}

# A lock is stale if its owner was killed, or never came to write its name.
lock_is_stale() {
    owner=$(cat "$lock/owner" 2>/dev/null) || owner=
    if [ -z "$owner" ]; then
        [ "$waited" -ge 10 ]
    else
        ! kill -0 "$owner" 2>/dev/null && [ ! -d "/proc/$owner" ]
    fi
}

# Of several that find a lock stale one removes it; the second look is for a lock made meanwhile.
break_lock() {
    mkdir "$lock.breaking" 2>/dev/null || return 0
    sleep 1
    if lock_is_stale; then rm -rf "$lock"; fi
    rmdir "$lock.breaking"
}
