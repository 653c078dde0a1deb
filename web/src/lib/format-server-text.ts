import { maskSecrets } from '#shared/mask-secrets.ts'
import { revealHiddenCharacters } from './hidden-characters.ts'

/**
 * Formats a text of a call or its server for what shows calls that have been made: secrets are masked, and hidden characters revealed. Cards that
 * ask for a decision only reveal hidden characters, because they show exactly what is sent.
 */
export const formatServerText = (text: string): string => revealHiddenCharacters(String(maskSecrets(text)))
