/** Errors of dictation. */
export const dictationSentences = {
  dictation_off: 'Dictation is not available here.',
  dictation_unpriced:
    'What you may spend is limited, and what dictation costs is not known here. Please type, or ask your administrator.',
  unsupported_audio: 'This is not a recording as WebM, MP4 or WAV. Please record it again.',
  'unsupported_audio.unread': 'This recording could not be read. Please record it again.',
  recording_too_long: 'A recording may have ten minutes. Please record a shorter one.',
  dictation_used_up:
    'You have dictated as much as is possible in a day. It resets at midnight (UTC). Please type until then.',
  'recording_too_long.for_model':
    'This recording is too long for the model that writes it down. Please record a shorter one.',
} as const
