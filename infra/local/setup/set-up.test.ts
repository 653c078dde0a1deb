import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../../aws/config.ts'
import { contextNode, loadContext } from '../../operate/stage.ts'
import { readSettings } from '../settings.ts'
import { askLocalSettings, askStageSettings, InputEnded, setUp } from './set-up.ts'
import { openEnvFile, openStageFile } from './settings-files.ts'

let folder: string
let path: string
let said: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-'))
  path = join(folder, '.env')
  said = []
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Answers in their order; then the input ends. */
const answering = (answers: readonly string[]) => {
  const rest = [...answers]
  return {
    async ask(question: string) {
      said.push(question)
      const answer = rest.shift()
      if (answer === undefined) throw new InputEnded()
      return answer
    },
    print: (line: string) => void said.push(line),
  }
}
const setUpEnv = (...answers: string[]) => setUp(openEnvFile(path), answering(answers), askLocalSettings)
const setUpStage = (...answers: string[]) =>
  setUp(openStageFile('live', folder), answering(answers), askStageSettings)
const readEnv = () => readFileSync(path, 'utf8')

it('writes nothing when every answer is the default', async () => {
  expect(await setUpEnv('1', '', '', '')).toBe(false)
  expect(() => readEnv()).toThrow('ENOENT')
})

it('stores what npm start then reads, for its owner alone, and asks again in the words of the settings', async () => {
  const answers = [
    '9',
    '4',
    'no address',
    '',
    '',
    '4',
    'http://127.0.0.1:11434/v1',
    '',
    'a b#c',
    '99999',
    '5000',
  ]
  expect(await setUpEnv(...answers, 'a.org', 'code')).toBe(true)
  expect(said).toContain('Choose 1 to 5.')
  expect(said.join('\n')).toContain('OPENAI_BASE_URL: Invalid URL')
  expect(said.join('\n')).toContain('PORT: Too big')
  const { port, signUp, mailMode, model } = readSettings(parseEnv(readEnv()))
  expect({ port, signUp, mailMode, model }).toMatchObject({
    port: 5000,
    signUp: { mode: 'domains', domains: ['a.org'] },
    mailMode: 'code',
    model: { baseUrl: 'http://127.0.0.1:11434/v1', name: 'a b#c', key: undefined },
  })
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('refuses a key that the functions would refuse, and shows none', async () => {
  await setUpEnv('2', '', 'sk-\u00e9', 'sk-1', '', '', '', '')
  expect(parseEnv(readEnv())).toEqual({ OPENAI_API_KEY: 'sk-1' })
  await setUpEnv('3', 'sk-2', '', '', '', '', 'yes')
  expect(parseEnv(readEnv())).toMatchObject({ OPENAI_API_KEY: 'sk-2', MODEL_API: 'messages' })
  expect(said.join('\n')).not.toMatch(/sk-\d/)
})

const stored =
  '# mine\nPORT=4100\n\nexport OPENAI_API_KEY=sk-1 # of the team\nBRAND_NAME="Ann\'s \\"chat\\""\n'

it('replaces and removes a stored value only after a yes, and leaves all other lines alone', async () => {
  writeFileSync(path, stored)
  expect(await setUpEnv('1', '5000', 'closed', '', 'n', '')).toBe(true)
  expect(readEnv()).toBe(`${stored}SIGN_UP=closed\n`)
  expect(await setUpEnv('1', '5000', '', '', 'y', 'y')).toBe(true)
  expect(readEnv()).toBe(`# mine\nPORT=5000\n\nBRAND_NAME="Ann's \\"chat\\""\nSIGN_UP=closed\n`)
})

it('leaves a value alone that it cannot change without changing another', async () => {
  const text = 'BRAND_NAME="a\nPORT=4100\nb"\nPORT=4200\n'
  writeFileSync(path, text)
  await expect(setUpEnv('', '5000', '', '', 'y')).rejects.toThrow('write PORT by hand')
  expect(readEnv()).toBe(text)
})

it('changes nothing when the input ends, at whichever question', async () => {
  writeFileSync(path, stored)
  const answers = ['4', 'http://127.0.0.1:1/v1', 'sk-2', '', '5000', 'closed', 'code', 'y']
  for (const [count] of answers.entries())
    await expect(setUpEnv(...answers.slice(0, count))).rejects.toThrow(InputEnded)
  expect(readEnv()).toBe(stored)
})

it('refuses a file that is wrong already, and answers that no longer fit when one is kept', async () => {
  writeFileSync(path, 'PORT=high\n')
  expect(await setUpEnv()).toBe(false)
  expect(said.join()).toContain('PORT: Invalid input')
  writeFileSync(path, 'OPENAI_BASE_URL=http://127.0.0.1:1/v1\n')
  expect(await setUpEnv('5', 'claude', '', '', '', 'n')).toBe(false)
  expect(said.at(-1)).toContain('does not go with MODEL_SERVER=bedrock. Nothing was changed.')
})

it('writes the file of a stage, which the commands read', async () => {
  const domain = ['chat.example.org', 'Z1D633PJN98FT9']
  await setUpStage(
    '1',
    'eu.anthropic.claude-sonnet-5',
    'many',
    '30',
    'example.org',
    ...domain,
    'a@b.org',
    'address',
  )
  expect(said.join('\n')).toContain('Context users must be a whole number')
  expect(JSON.parse(readFileSync(join(folder, 'live.json'), 'utf8'))).toEqual({
    stage: 'live',
    modelServer: 'bedrock',
    openaiModel: 'eu.anthropic.claude-sonnet-5',
    users: 30,
    signUp: 'example.org',
    domainName: 'chat.example.org',
    hostedZoneId: 'Z1D633PJN98FT9',
    sesSender: 'a@b.org',
    sesIdentity: 'address',
  })
  expect(readConfig(contextNode(loadContext(['stage=live'], folder)))).toMatchObject({
    users: 30,
    signUp: { mode: 'domains' },
    ses: { sender: 'a@b.org', verified: 'address' },
  })
  await setUpStage('', '40', '', '', '', 'n')
  expect(said.at(-1)).toBe('Nothing changes.')
})
