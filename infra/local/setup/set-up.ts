import { defaultModel } from '#shared/models.ts'
import { parseKey } from '#shared/secret-values.ts'
import type { SettingsFile, Values } from './settings-files.ts'

/** A terminal, or a script. */
export interface Dialog {
  /**
   * @param isSecret the answer is not shown
   * @throws InputEnded
   */
  ask: (question: string, isSecret?: boolean) => Promise<string>
  print: (line: string) => void
}

/** Ctrl+C, or the end of a script. */
export class InputEnded extends Error {}

interface Choice {
  readonly label: string
  /** may ask on */
  readonly ask: () => Promise<Values>
}

type Form = ReturnType<typeof openForm>

/**
 * Asks for settings and stores those that differ. Nothing is written before the last answer, and no stored value is replaced without a yes.
 * @returns whether something was written
 */
export async function setUp(
  file: SettingsFile,
  dialog: Dialog,
  askSettings: (form: Form) => Promise<void>,
): Promise<boolean> {
  const problem = file.check(file.stored)
  if (problem !== undefined) {
    dialog.print(`${problem}\nCorrect ${file.name} first. Nothing was changed.`)
    return false
  }
  const form = openForm(file, dialog)
  await askSettings(form)
  const changes = await confirmReplacements(file.stored, form.answers(), dialog)
  const names = Object.keys(changes)
  const conflict = file.check({ ...file.stored, ...changes })
  if (conflict !== undefined || names.length === 0) {
    dialog.print(conflict === undefined ? 'Nothing changes.' : `${conflict} Nothing was changed.`)
    return false
  }
  file.write(changes)
  dialog.print(`Stored in ${file.name}: ${names.join(', ')}.`)
  return true
}

const isSecret = (name: string) => name.endsWith('_KEY')
const show = (name: string, value: string) => (isSecret(name) ? 'the one that you gave' : `"${value}"`)

/** @returns the answers that differ from what is stored, without those that the user takes back */
async function confirmReplacements(stored: Values, answers: Values, { ask }: Dialog): Promise<Values> {
  const changes: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(answers)) {
    const old = stored[name]
    if (value === old) continue
    const is = isSecret(name) ? 'is set' : `is ${show(name, old ?? '')}`
    const question =
      value === undefined
        ? `${name} ${is}. Remove it? [y/N] `
        : `${name} ${is}. Replace it with ${show(name, value)}? [y/N] `
    if (old === undefined || /^y(es)?$/i.test((await ask(question)).trim())) changes[name] = value
  }
  return changes
}

function openForm(file: SettingsFile, { ask, print }: Dialog) {
  let answers: Values = {}
  const accept = (values: Values): boolean => {
    const problem = file.check({ ...file.stored, ...answers, ...values })
    if (problem === undefined) answers = { ...answers, ...values }
    else print(problem)
    return problem === undefined
  }
  return {
    answers: () => answers,
    /**
     * Asks until the settings that follow from the answer are valid. Nothing keeps what is stored.
     * @param toValues may ask on; by default the answer is the value of the setting
     */
    ask: async (
      name: string,
      question: string,
      byDefault: string,
      toValues: (answer: string) => Promise<Values> = async (answer) => ({ [name]: answer }),
    ): Promise<void> => {
      for (;;) {
        const answer = (await ask(`${question} [${file.stored[name] ?? byDefault}] `)).trim()
        if (answer === '' || accept(await toValues(answer))) return
      }
    },
    /** Asks for one of several ways, until its settings are valid. Nothing keeps what is stored. */
    choose: async (
      question: string,
      choices: readonly Choice[],
      { names, byDefault }: { names: readonly string[]; byDefault: string },
    ): Promise<void> => {
      print(`${question}\n${choices.map(({ label }, index) => `  ${index + 1}  ${label}`).join('\n')}`)
      const kept = names.some((name) => file.stored[name] !== undefined) ? 'what is stored' : byDefault
      for (;;) {
        const answer = (await ask(`A number [${kept}] `)).trim()
        if (answer === '') return
        const choice = choices[Number(answer) - 1]
        if (choice === undefined) print(`Choose 1 to ${choices.length}.`)
        else if (accept({ ...unset(names), ...(await choice.ask()) })) return
      }
    },
    askOptional: async (question: string) => (await ask(question)).trim() || undefined,
    askNeeded: async (question: string): Promise<string> => {
      for (;;) {
        const answer = (await ask(question)).trim()
        if (answer !== '') return answer
      }
    },
    /** Asks for an API key, which is not shown. */
    askKey: async (question: string, isOptional = false): Promise<string | undefined> => {
      for (;;) {
        const key = (await ask(question, true)).trim()
        if (key === '' && isOptional) return undefined
        try {
          return parseKey(key)
        } catch (error) {
          print((error as Error).message)
        }
      }
    },
  }
}

const unset = (names: readonly string[]): Values => Object.fromEntries(names.map((name) => [name, undefined]))

const anthropic = 'https://api.anthropic.com/v1'
const orListed = 'Model, or nothing for those that the server lists: '
const orDefault = `Model, or nothing for ${defaultModel.id}: `
const ofBedrock = 'Model, such as eu.anthropic.claude-sonnet-5: '

/** The settings of `npm start`. */
export async function askLocalSettings({ ask, choose, askKey, askNeeded, askOptional }: Form): Promise<void> {
  await choose(
    'Which model answers?',
    [
      { label: 'the demo model: simple rules, no key, no costs', ask: async () => ({}) },
      {
        label: 'OpenAI, with your key',
        ask: async () => ({
          OPENAI_API_KEY: await askKey('API key of OpenAI (it is not shown): '),
          OPENAI_MODEL: await askOptional(orDefault),
        }),
      },
      {
        label: 'Anthropic, with your key',
        ask: async () => ({
          OPENAI_BASE_URL: anthropic,
          MODEL_API: 'messages',
          OPENAI_API_KEY: await askKey('API key of Anthropic (it is not shown): '),
          OPENAI_MODEL: await askOptional(orListed),
        }),
      },
      {
        label: 'a server of your own that speaks OpenAI’s API (Ollama, LM Studio, vLLM, LiteLLM)',
        ask: async () => ({
          OPENAI_BASE_URL: await askNeeded('Its address, such as http://127.0.0.1:11434/v1: '),
          OPENAI_API_KEY: await askKey('Its API key, or nothing (it is not shown): ', true),
          OPENAI_MODEL: await askOptional(orListed),
        }),
      },
      {
        label: 'Amazon Bedrock, with the AWS credentials of your shell',
        ask: async () => ({ MODEL_SERVER: 'bedrock', OPENAI_MODEL: await askNeeded(ofBedrock) }),
      },
    ],
    {
      names: ['MODEL_SERVER', 'MODEL_API', 'MODELS', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
      byDefault: '1',
    },
  )
  await ask('PORT', 'Port of the page:', '4000')
  await ask('SIGN_UP', 'Who may sign up: open, closed, or domains of e-mail addresses (a.org,b.org):', 'open')
  await ask(
    'LOCAL_MAIL',
    'Mails stay on this computer. To confirm an address they have a link or a code:',
    'link',
  )
}

/** The settings of a deployment. */
export async function askStageSettings({ ask, choose, askNeeded, askOptional }: Form): Promise<void> {
  await choose(
    'Which model answers? You store a key after the deployment.',
    [
      {
        label: 'Amazon Bedrock in the same account, without a key',
        ask: async () => ({ modelServer: 'bedrock', openaiModel: await askNeeded(ofBedrock) }),
      },
      { label: 'OpenAI', ask: async () => ({ openaiModel: await askOptional(orDefault) }) },
      {
        label: 'Anthropic',
        ask: async () => ({
          openaiBaseUrl: anthropic,
          modelApi: 'messages',
          openaiModel: await askOptional(orListed),
        }),
      },
      {
        label: 'a server of your own that speaks OpenAI’s API',
        ask: async () => ({
          openaiBaseUrl: await askNeeded('Its address, with /v1: '),
          openaiModel: await askOptional(orListed),
        }),
      },
    ],
    { names: ['modelServer', 'modelApi', 'models', 'openaiBaseUrl', 'openaiModel'], byDefault: '2' },
  )
  await ask('users', 'How many people will use it?', 'not known')
  await ask('signUp', 'Who may sign up: closed (by invitation), open, or domains (a.org,b.org):', 'closed')
  await ask(
    'domainName',
    'Its own address, such as chat.example.org:',
    'CloudFront’s',
    async (domainName) => {
      const proof = await askNeeded(
        'The id of its zone in Route 53 (Z…), or the ARN of its certificate in us-east-1: ',
      )
      return proof.startsWith('arn:')
        ? { domainName, certificateArn: proof, hostedZoneId: undefined }
        : { domainName, hostedZoneId: proof, certificateArn: undefined }
    },
  )
  await ask(
    'sesSender',
    'Sender of mails with links, verified in Amazon SES:',
    'none: Cognito mails codes, 50 a day',
    async (sesSender) => ({
      sesSender,
      sesIdentity: await askOptional('What SES has verified of it: domain or address [domain] '),
    }),
  )
}
