import { maxRecordingSeconds } from '#shared/limits.ts'

/** Speech needs no more; ten minutes are 2.4 MB. */
const audioBitsPerSecond = 32_000
/** Below what the API takes on AWS; browsers may not keep to the bit rate. */
const maxBytes = 4 * 1024 * 1024

const types = ['audio/webm;codecs=opus', 'audio/webm', 'audio/mp4']

/** Whether this browser can record; only with https, or on this computer. */
export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && typeof navigator.mediaDevices?.getUserMedia === 'function'

export interface Recorder {
  /** Ends the recording, which `recording` resolves to. */
  finish: () => void
  /** also resolves when the recording has its greatest length */
  recording: Promise<Blob>
}

/**
 * Records the microphone.
 * @throws DOMException if there is none, or the user does not allow it
 */
export async function startRecorder(): Promise<Recorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const release = () => stream.getTracks().forEach((track) => track.stop())
  try {
    const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type))
    const recorder = new MediaRecorder(stream, { audioBitsPerSecond, ...(mimeType && { mimeType }) })
    const { promise, resolve } = Promise.withResolvers<Blob>()
    const chunks: Blob[] = []
    let size = 0
    const finish = () => {
      if (recorder.state !== 'inactive') recorder.stop()
    }
    const timer = setTimeout(finish, maxRecordingSeconds * 1_000)
    recorder.addEventListener('dataavailable', ({ data }) => {
      chunks.push(data)
      size += data.size
      if (size >= maxBytes) finish()
    })
    recorder.addEventListener('stop', () => {
      clearTimeout(timer)
      release()
      // without the codec, which not every server knows
      resolve(new Blob(chunks, { type: recorder.mimeType.split(';', 1)[0] ?? '' }))
    })
    recorder.start(1_000)
    return { finish, recording: promise }
  } catch (error) {
    release()
    throw error
  }
}
