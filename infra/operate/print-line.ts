/** Line breaks and tabs of a text are its own; other control characters would command the terminal (CSI, also as C1), and names come from strangers. */
const controls = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n\t]]/gv

export const cleanOutput = (text: string): string => text.replace(controls, '\ufffd')

/** Prints a result of a command. */
export const printLine = (text: string): void => void process.stdout.write(`${cleanOutput(text)}\n`)
