import { t } from '@lingui/core/macro'

// dictation
export const dictate = t`Dictate`
export const finish = t`Finish dictation`
export const cancel = t`Cancel dictation`
export const tryAgain = t`Transcribe again`
export const recording = t`Recording`
export const writing = t`Writing down…`
export const added = t`What you said is in the message field.`
export const addedToDraft = t`What you said is in the message field of its conversation.`
export const notAllowed = t`The microphone is not allowed`
export const notAllowedHint = t`Allow it for this page in the settings of your browser.`
export const noMicrophone = t`The microphone could not be used`
export const noMicrophoneHint = t`Check that one is connected and that no other program uses it.`
export const noWords = t`The recording came back without words`
export const noSound = t`Nothing was recorded`
export const notWritten = t`What you said was not written down`
