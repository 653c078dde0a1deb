import { t } from '@lingui/core/macro'
import { untitled } from '#shared/untitled.ts'

/** The title of a conversation, or what one without a title is called in the language of the page. */
export const showTitle = (title: string): string => (title === untitled ? t`New Chat` : title)
