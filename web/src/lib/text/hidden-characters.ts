import { maskSecrets } from '#shared/mask-secrets.ts'

/**
 * Formats a text of a call or its server for what shows calls that have been made: secrets are masked, and hidden characters revealed. Cards that
 * ask for a decision only reveal hidden characters, because they show exactly what is sent.
 */
export const formatServerText = (text: string): string => revealHiddenCharacters(String(maskSecrets(text)))

/** Letters of scripts that use joiners, such as those of Persian and Hindi. */
const joiningScripts = String.raw`[[\p{L}\p{M}]&&[\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Sinh}\p{scx=Syrc}\p{scx=Taml}\p{scx=Telu}]]`
/** An emoji sequence, or a joiner between such letters. */
const ordinary = String.raw`\p{RGI_Emoji}|${joiningScripts}[\u200c\u200d](?=${joiningScripts})`
/** Characters that are invisible or blank, or change the text direction. */
const hidden = String.raw`[[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]--[\n\t]]`
const ordinaryOrHidden = new RegExp(`(${ordinary})|${hidden}`, 'gv')

const formatCodePoint = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Any other character than printable ASCII, line feed and tab. Most texts have none, and need no slower search. */
const unusualCharacter = /[^\n\t -~]/

/** Replaces hidden characters by their code points in brackets, so that the user sees the exact text. */
export const revealHiddenCharacters = (text: string): string =>
  unusualCharacter.test(text)
    ? text.replace(
        ordinaryOrHidden,
        (character, ordinaryText?: string) => ordinaryText ?? `[${formatCodePoint(character)}]`,
      )
    : text

/** Removes the characters that `revealHiddenCharacters` reveals. */
export const removeHiddenCharacters = (text: string): string =>
  text.replace(ordinaryOrHidden, (_, ordinaryText?: string) => ordinaryText ?? '')
