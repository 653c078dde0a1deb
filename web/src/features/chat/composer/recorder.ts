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
  /** also resolves when the recording has its greatest length; empty if there was no sound */
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
    const hasSound = listen(stream)
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
      const isSilent = !hasSound()
      release()
      if (isSilent) return resolve(new Blob())
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

/** Of the greatest amplitude: below what a quiet voice has, above what a microphone that is off or muted has. */
const leastAmplitude = 0.005
/** A listener holds 0.7 s of sound. */
const listenEveryMs = 500
const samples = 32_768

/**
 * Listens whether there is any sound: models of speech write sentences that nobody said (“Thank you for watching”) for silence.
 * @returns what ends it, and says whether there was; true if that cannot be known
 */
function listen(stream: MediaStream): () => boolean {
  const opened = openAnalyser(stream)
  if (!opened) return () => true
  const { context, analyser } = opened
  const heard = new Float32Array(samples)
  let greatest = 0
  const measure = () => {
    analyser.getFloatTimeDomainData(heard)
    for (const amplitude of heard) greatest = Math.max(greatest, Math.abs(amplitude))
  }
  const timer = setInterval(measure, listenEveryMs)
  return () => {
    clearInterval(timer)
    measure()
    // one that the browser has not started has heard nothing
    const isKnown = context.state === 'running'
    void context.close()
    return !isKnown || greatest >= leastAmplitude
  }
}

function openAnalyser(stream: MediaStream) {
  try {
    const context = new AudioContext()
    const analyser = new AnalyserNode(context, { fftSize: samples })
    context.createMediaStreamSource(stream).connect(analyser)
    return { context, analyser }
  } catch {
    // none in this browser, or too many
    return undefined
  }
}
