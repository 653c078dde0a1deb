import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { OperatorError } from '../aws/operator-error.ts'
import { stageName, stagesFolder } from '../aws/stage-file.ts'
import { printLine, runCommand } from '../operate/command.ts'
import { envFile } from '../operate/env-file.ts'
import { askLocalSettings, askStageSettings, InputEnded, setUp, type Dialog } from './setup/set-up.ts'
import { openEnvFile, openStageFile } from './setup/settings-files.ts'

const options = { stage: { type: 'string' } } as const

/** `npm run setup`: the settings that are needed first, asked for in the terminal. */
await runCommand('setup', { options }, async ({ values: { stage } }) => {
  if (stage !== undefined && !stageName.test(stage))
    throw new OperatorError('--stage must be 2 to 16 lower case letters, digits or hyphens, a letter first.')
  const { dialog, close } = openTerminal()
  try {
    if (stage === undefined) {
      if (await setUp(openEnvFile(envFile), dialog, askLocalSettings)) printLine('Next: npm start')
    } else if (await setUp(openStageFile(stage, stagesFolder), dialog, askStageSettings))
      printLine(`Next: npm run doctor -- -c stage=${stage}, then npm run deploy -- -c stage=${stage}`)
    return 0
  } catch (error) {
    if (!(error instanceof InputEnded)) throw error
    printLine('\nNothing was changed.')
    return 130
  } finally {
    close()
  }
})

/** Lines are read one by one, so that a script may send all of them at once. */
function openTerminal(): { dialog: Dialog; close: () => void } {
  let isMuted = false
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      if (!isMuted) process.stdout.write(chunk)
      done()
    },
  })
  const terminal = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })
  const lines = terminal[Symbol.asyncIterator]()
  return {
    dialog: {
      print: printLine,
      async ask(question, isSecret = false) {
        if (isSecret) process.stdout.write(question)
        isMuted = isSecret
        terminal.setPrompt(isSecret ? '' : question)
        terminal.prompt()
        const { value, done } = await lines.next()
        isMuted = false
        if (isSecret) process.stdout.write('\n')
        if (done) throw new InputEnded()
        return value
      },
    },
    close: () => terminal.close(),
  }
}
