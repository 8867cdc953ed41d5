import { createHash } from 'node:crypto';
import { z } from 'zod';
import { VoiceId } from '../contract/menu/speech.ts';
import { windowsProgram } from '../system/start-program.ts';
import { isProgram, type ProgramVoice, type SpeechProgram } from './program-engine.ts';

/**
 * The only script that is run. It reads one line of base64 with a request in JSON, and answers a list of voices in the same way: nothing
 * of a text becomes part of a script, an argument or a code page.
 *
 * Two interfaces of Windows: OneCore (WinRT), with more languages, and SAPI (System.Speech). `Speak` and `SynthesizeTextToStreamAsync`
 * take plain text; those for SSML are not used. `$input` has the lines of stdin where PowerShell has read them before the script does. Of the asynchronous calls of WinRT, Windows PowerShell waits through `AsTask`.
 */
export const windowsScript = `
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$line = @($input)[0]
if (-not $line) { $line = [Console]::In.ReadLine() }
$request = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($line)) | ConvertFrom-Json
function Open-OneCore {
  Add-Type -AssemblyName System.Runtime.WindowsRuntime
  $null = [Windows.Media.SpeechSynthesis.SpeechSynthesizer, Windows.Media.SpeechSynthesis, ContentType = WindowsRuntime]
  $null = [Windows.Media.SpeechSynthesis.SpeechSynthesisStream, Windows.Media.SpeechSynthesis, ContentType = WindowsRuntime]
}
function Open-Sapi { Add-Type -AssemblyName System.Speech }
if ($request.task -eq 'voices') {
  $voices = @()
  try {
    Open-OneCore
    foreach ($one in [Windows.Media.SpeechSynthesis.SpeechSynthesizer]::AllVoices) {
      $voices += @{ api = 'onecore'; id = $one.Id; name = $one.DisplayName; language = $one.Language }
    }
  } catch { }
  try {
    Open-Sapi
    $speaker = New-Object System.Speech.Synthesis.SpeechSynthesizer
    foreach ($one in $speaker.GetInstalledVoices()) {
      $info = $one.VoiceInfo
      if ($one.Enabled) { $voices += @{ api = 'sapi'; id = $info.Name; name = $info.Name; language = $info.Culture.Name } }
    }
    $speaker.Dispose()
  } catch { }
  $answer = @{ version = [Environment]::OSVersion.Version.ToString(); voices = $voices } | ConvertTo-Json -Depth 4 -Compress
  [Console]::Out.WriteLine([Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($answer)))
} elseif ($request.api -eq 'onecore') {
  Open-OneCore
  $speaker = New-Object Windows.Media.SpeechSynthesis.SpeechSynthesizer
  $speaker.Voice = [Windows.Media.SpeechSynthesis.SpeechSynthesizer]::AllVoices | Where-Object { $_.Id -eq $request.voice } | Select-Object -First 1
  $speaker.Options.SpeakingRate = [double]$request.rate
  $asTask = [System.WindowsRuntimeSystemExtensions].GetMethods() | Where-Object {
    $_.Name -eq 'AsTask' -and $_.GetParameters().Count -eq 1 -and $_.GetParameters()[0].ParameterType.Name -eq 'IAsyncOperation\`1'
  } | Select-Object -First 1
  $making = $asTask.MakeGenericMethod([Windows.Media.SpeechSynthesis.SpeechSynthesisStream])
  $task = $making.Invoke($null, @($speaker.SynthesizeTextToStreamAsync($request.text)))
  $null = $task.Wait(-1)
  $sound = [System.IO.WindowsRuntimeStreamExtensions]::AsStreamForRead($task.Result)
  $file = [IO.File]::Create($request.file)
  $sound.CopyTo($file)
  $file.Dispose()
  $speaker.Dispose()
} else {
  Open-Sapi
  $speaker = New-Object System.Speech.Synthesis.SpeechSynthesizer
  $speaker.SelectVoice($request.voice)
  $speaker.Rate = [int]$request.steps
  $format = New-Object System.Speech.AudioFormat.SpeechAudioFormatInfo 22050, Sixteen, Mono
  $speaker.SetOutputToWaveFile($request.file, $format)
  $speaker.Speak($request.text)
  $speaker.Dispose()
}
`;

const Answer = z.object({
  version: z.string(),
  voices: z.array(
    z.object({ api: z.enum(['onecore', 'sapi']), id: z.string(), name: z.string(), language: z.string() }),
  ),
});
type AnsweredVoice = z.infer<typeof Answer>['voices'][number];

/** As this module writes it for itself: which interface, and what that calls the voice. */
const nativeSeparator = '\n';

/**
 * The voices of Windows, by Windows PowerShell 5.1, which every Windows has. Where PowerShell is restricted (Constrained Language Mode),
 * there are none.
 *
 * Written from Microsoft's documentation. Nobody has tried it on Windows yet.
 */
export function windowsProgramOf(
  powershell = windowsProgram('WindowsPowerShell', 'v1.0', 'powershell.exe'),
): SpeechProgram {
  const command = (request: object) => ({
    args: [
      ...['-NoLogo', '-NoProfile', '-NonInteractive'],
      ...['-InputFormat', 'Text', '-OutputFormat', 'Text', '-EncodedCommand'],
      Buffer.from(windowsScript, 'utf16le').toString('base64'),
    ],
    input: `${Buffer.from(JSON.stringify(request)).toString('base64')}\n`,
  });
  return {
    find: async () => ((await isProgram(powershell)) ? powershell : null),

    async voices(program, ask) {
      const line = await ask(program, command({ task: 'voices' }));
      const { version, voices } = Answer.parse(JSON.parse(Buffer.from(line, 'base64').toString('utf8')));
      const byId = new Map<string, ProgramVoice>();
      for (const one of voices) {
        const found = voiceOf(one, version);
        if (found !== null && !byId.has(found.voice.id)) byId.set(found.voice.id, found);
      }
      return [...byId.values()];
    },

    command({ text, rate }, native, file) {
      const [api, voice] = native.split(nativeSeparator);
      return command({ task: 'speak', api, voice, text, rate, steps: stepsOf(rate), file });
    },
  };
}

/** SAPI has steps from -10 to 10, of which the last are a third and three times the usual speed. */
function stepsOf(rate: number): number {
  return Math.min(10, Math.max(-10, Math.round((10 * Math.log(rate)) / Math.log(3))));
}

function voiceOf({ api, id, name, language }: AnsweredVoice, version: string): ProgramVoice | null {
  // "Microsoft Zira Desktop" is "Microsoft Zira" for SAPI; OneCore comes first in the list.
  const short = name.replace(/^Microsoft /, '').replace(/ Desktop$/, '');
  const ours = VoiceId.safeParse(`windows/${short.normalize('NFKD').replace(/[^\w.+-]+/g, '-')}`);
  if (!ours.success || !/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(language)) return null;
  return {
    native: [api, id].join(nativeSeparator),
    voice: {
      id: ours.data,
      name: short,
      language,
      quality: 'basic',
      engine: 'windows',
      engine_version: version,
      model_digest: createHash('sha256').update(`${api}\n${id}`).digest('hex'),
      licence: 'Windows',
    },
  };
}
