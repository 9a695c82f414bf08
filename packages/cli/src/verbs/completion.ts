// What makes shells complete the commands: each asks `hanzo __complete WORD...` for what may stand in the last place.

export const SHELLS: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    `# hanzo completion bash: put  source <(hanzo completion bash)  into ~/.bashrc
_hanzo() {
  local IFS=$'\\n'
  COMPREPLY=($(hanzo __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _hanzo hanzo
`,
  ],
  [
    'zsh',
    `#compdef hanzo
# hanzo completion zsh: put  source <(hanzo completion zsh)  into ~/.zshrc, after compinit
_hanzo() {
  local -a found
  found=("\${(@f)$(hanzo __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $found
}
compdef _hanzo hanzo
`,
  ],
  [
    'fish',
    `# hanzo completion fish: hanzo completion fish > ~/.config/fish/completions/hanzo.fish
complete -c hanzo -f -a '(hanzo __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
  ],
]);
