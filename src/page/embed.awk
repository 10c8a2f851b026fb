# SPDX-License-Identifier: MIT
# awk -f embed.awk NAME=FILE...: writes files as constants of C, a `struct page_file page_NAME` for each
# NAME; files of the same NAME are joined. These are left out:
# - comments on lines of their own, indentation and empty lines;
# - in style sheets, blanks beside punctuation;
# - in scripts, blanks beside operators (no string in them has such blanks), inside braces, between
#   `if`, `for` or `while` and the parenthesis, and beside other punctuation outside of strings, on
#   lines whose strings are in double quotes without escapes, and whose templates have no template
#   in them; and semicolons before a closing brace, unless they may be the body of a loop;
# - ends of lines after an opening brace or parenthesis, a comma or a semicolon; in style sheets also
#   after a closing brace.
# Run it with LC_ALL=C, so that bytes beyond ASCII are copied unchanged.
BEGIN {
    print "/* Written by embed.awk: edit the files that it is made of. */"
    print "#include \"page/page.h\""
    for (i = 1; i < ARGC; i++) {
        at = index(ARGV[i], "=")
        name = substr(ARGV[i], 1, at - 1)
        if (name != before) {
            end(before)
            print "\nstatic const char " name "_bytes[] ="
        }
        embed(substr(ARGV[i], at + 1))
        before = name
    }
    end(before)
}

# Writes a string for each line; `?` is escaped because of trigraphs.
function embed(file,    line, before, status, comment) {
    before = ""
    while ((status = (getline line < file)) > 0) {
        sub(/^ +/, "", line)
        if (line ~ /^\/\*/)
            comment = 1
        if (file ~ /\.css$/) {
            gsub(/ *[{] */, "{", line)
            gsub(/;? *[}] */, "}", line)
            gsub(/ > /, ">", line)
            gsub(/: /, ":", line)
            gsub(/; /, ";", line)
            gsub(/, /, ",", line)
        }
        if (file ~ /\.js$/)
            while (match(line, / (=>?|[=!]==|&&|[|][|]|[<>]=?|[?][?]|[-+*?:]) /))
                line = substr(line, 1, RSTART - 1) substr(line, RSTART + 1, RLENGTH - 2) substr(line, RSTART + RLENGTH)
        if (file ~ /\.js$/) {
            gsub(/[)] [{]/, "){", line)
            gsub(/if [(]/, "if(", line)
            gsub(/for [(]/, "for(", line)
            gsub(/while [(]/, "while(", line)
            gsub(/[{] /, "{", line)
            gsub(/;? [}]/, "}", line)
            if (line !~ /['\\]/ && line !~ /`[^`]*[$][{][^`}]*`/)
                line = without_blanks(line)
        }
        if (!comment && line != "") {
            if (file ~ /\.js$/ && line ~ /^[}]/ && before !~ /^(if|for|while)[(]/ && sub(/;$/, "", before))
                write(before, "")
            else
                write(before, ending(before, file))
            before = line
        }
        if (line ~ /\*\/$/)
            comment = 0
    }
    if (status < 0) {
        print "embed.awk: cannot read " file >"/dev/stderr"
        exit 1
    }
    write(before, ending(before, file))
}

# Returns what has to be between a line and the next one.
function ending(line, file) {
    return line ~ (file ~ /\.js$/ ? "[{,(;]$" : file ~ /\.css$/ ? "[{},;]$" : "^$") ? "" : "\\n"
}

function write(line, after) {
    if (line == "")
        return
    gsub(/[\\"?]/, "\\\\&", line)
    print "    \"" line after "\""
}

# Returns a line without the blanks beside punctuation that is outside of its strings and templates.
function without_blanks(line,    tight) {
    tight = ""
    while (match(line, /"[^"]*"|`[^`]*`/)) {
        tight = tight tightened(substr(line, 1, RSTART - 1)) substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
    }
    return tight tightened(line)
}

function tightened(code) {
    gsub(/, /, ",", code)
    gsub(/: /, ":", code)
    gsub(/; /, ";", code)
    gsub(/[)] /, ")", code)
    gsub(/ [{]/, "{", code)
    return code
}

function end(name) {
    if (name == "")
        return
    print "    ;"
    print "const struct page_file page_" name " = {" name "_bytes, sizeof(" name "_bytes) - 1};"
}
