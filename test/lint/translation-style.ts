/**
 * What the translations into each language keep to: how the user is addressed, the quotes, and the word of each term. Somebody who
 * translates or reads a catalogue begins here; `findStyleProblems` checks what can be checked.
 */
interface LanguageStyle {
  /** how the user is addressed */
  address: string
  /** what would be another address, other quotes or wrong punctuation */
  wrong: RegExp
  /** each English term, and its word, or the beginning of its words */
  terms: Readonly<Record<string, string>>
}

const straight = /["']|\.\.\./.source

const styles: Readonly<Record<string, LanguageStyle>> = {
  de: {
    address:
      'Sie; requests with “Bitte”, labels in the infinitive. Quick prompts address the assistant with “du”.',
    wrong: RegExp(
      `${straight}|[“”]\\w|(?<!\\p{L})(?:deine?|dich|dein\\p{L}+|bis du|wähle|speichere|lade|öffne|versuche|stoppe|entziehe|Werkzeug\\p{L}*|Kennwort)(?!\\p{L})`,
      'u',
    ),
    terms: {
      conversation: 'Unterhaltung',
      reply: '[Aa]ntwort',
      tool: '[Tt]ool',
      prompt: 'Prompt',
      memory: 'Gedächtnis|Erinnerung|Arbeitsspeicher',
      administrator: 'Admin',
      'e-mail': 'E-Mail',
    },
  },
  fr: {
    address: 'vous; failures as “Impossible de …”. Quick prompts address the assistant with “tu”.',
    // a space that does not break stands before : ; ? ! and inside « »
    wrong: RegExp(`${straight}|[“”]| [:;?!»]|« |\\b[Cc]hats?\\b|(?<!-)\\bmail\\b`),
    terms: {
      conversation: 'onversation',
      chat: 'iscussion|onversation',
      tool: 'util',
      prompt: 'rompt',
      memory: 'émoire|ouvenir',
      administrator: 'dministr',
    },
  },
  es: {
    address: 'tú',
    wrong: RegExp(
      `${straight}|[«»]|\\b(?:usted|corrija|elija|haga|pruebe|escriba|compruebe|inténtelo|revise)\\b`,
      'i',
    ),
    terms: {
      conversation: 'onversaci',
      chat: 'hat',
      tool: 'erramient',
      prompt: 'rompt',
      memory: 'emoria|ecuerdo',
      administrator: 'dministrad',
    },
  },
  'pt-BR': {
    address: 'você, mostly left out',
    wrong: RegExp(`${straight}|[«»]|\\b(?:tu|teu|tua|ficheiro|ecrã|utilizador)\\b`, 'i'),
    terms: {
      conversation: 'onversa',
      tool: 'errament',
      prompt: 'rompt',
      memory: 'emória',
      administrator: 'dministrad',
    },
  },
  ja: {
    address: 'no pronoun; です and ます in sentences, nouns in labels',
    // marks are of full width
    wrong: RegExp(`${straight}|[“”]|[\\u3040-\\u9fff][?!,;(]|[)][\\u3040-\\u9fff]|返信を|この返信`),
    terms: {
      conversation: '会話',
      tool: 'ツール',
      prompt: 'プロンプト',
      memory: 'メモリ',
      administrator: '管理者',
      integration: '連携|接続',
    },
  },
  ar: {
    address: 'the second person, masculine; labels as nouns or requests',
    // comma, semicolon and question mark are Arabic, also beside Latin words
    wrong: RegExp(`${straight}|[“”]|[\\u0600-\\u06ff][,;?]`),
    terms: { conversation: 'محادث', tool: 'أدا|أدوات', memory: 'ذاكر|ذكر', administrator: 'مسؤول|إدار' },
  },
}

/** Without the heads of placeholders, such as `{count, plural, one {`, and without tags. */
const readWords = (text: string) =>
  text.replaceAll(/\{\w+(?:, \w+)?[,}]|\b(?:zero|one|two|few|many|other|=\d) \{|<\/?\d+\/?>/g, ' ')

/** @returns what in a catalogue is not in the style of its language, as `what: key` */
export function findStyleProblems(language: string, catalogue: Readonly<Record<string, string>>): string[] {
  const style = styles[language]
  if (!style) return [`no style for ${language}`]
  const { wrong, terms } = style
  return Object.entries(catalogue).flatMap(([key, translation]) => {
    const words = readWords(translation)
    const english = readWords(key).replace(/ \[[^\]]*\]$/, '')
    const missing = Object.entries(terms).filter(
      ([term, word]) =>
        new RegExp(`\\b${term.replace(/y$/, '(?:y|ies)')}s?\\b`, 'i').test(english) &&
        !new RegExp(word).test(words),
    )
    const found = wrong.exec(words)?.[0]
    return [
      ...(found === undefined ? [] : [`${found}: ${key}`]),
      ...missing.map(([term, word]) => `${term} is ${word}: ${key}`),
    ]
  })
}
