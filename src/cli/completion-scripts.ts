/**
 * What a shell runs to complete: it asks `rotavox complete -- WORDS`, which prints a candidate a line, with a tab before its
 * description, and `:files` where the shell adds files. What was typed is passed on as arguments and never evaluated.
 */
export const completionScripts = {
  bash: `# bash completion for rotavox
_rotavox() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then compopt -o default
    else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <(rotavox complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _rotavox rotavox
`,
  zsh: `#compdef rotavox
# zsh completion for rotavox
_rotavox() {
  local line files
  local -a found
  for line in "\${(@f)$(rotavox complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then files=yes
    elif [[ -n $line ]]; then found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); fi
  done
  (( $#found )) && _describe 'rotavox' found
  [[ -n $files ]] && _files
}
if [[ $funcstack[1] == _rotavox ]]; then _rotavox "$@"; else compdef _rotavox rotavox; fi
`,
  fish: `# fish completion for rotavox
function __rotavox_complete
  set -l words (commandline -opc)
  set -l typed "$(commandline -ct)"
  for line in (rotavox complete -- $words[2..-1] $typed 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path $typed
    else
      printf '%s\\n' $line
    end
  end
end
complete -c rotavox -f -a '(__rotavox_complete)'
`,
} as const;

export type Shell = keyof typeof completionScripts;
export const shells = Object.keys(completionScripts) as Shell[];
