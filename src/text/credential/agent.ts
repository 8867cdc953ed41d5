import { connectionText, endpointText } from './connection-test.ts';
import { placeText } from './credentials.ts';
import { deliveryFindingsText, deliveryProblemText } from './delivery.ts';
import { callFailureText, rotationTroubleText } from './rotation-trouble-text.ts';
import {
  endByPersonText,
  endedHereText,
  noTokenToEndText,
  notEndedText,
  unknownTokenText,
} from '../token/end-all.ts';
import { notDeletedText, notRevokedText, signInPage, signInProblemText } from './sign-in-text.ts';
import { vaultDescription, vaultProblemText } from './vault-text.ts';

/** The sentences that the agent puts into events and replies: `host` gives them to it. */
export const agentText = {
  rotationTrouble: rotationTroubleText,
  deliveryProblem: deliveryProblemText,
  deliveryFindings: deliveryFindingsText,
  place: placeText,
  connection: connectionText,
  endpoint: endpointText,
  callFailure: callFailureText,
  signInProblem: signInProblemText,
  signInPage,
  notRevoked: notRevokedText,
  notDeleted: notDeletedText,
  notEnded: notEndedText,
  endByPerson: endByPersonText,
  endedHere: endedHereText,
  noTokenToEnd: noTokenToEndText,
  unknownToken: unknownTokenText,
  vaultProblem: vaultProblemText,
  vaultDescription,
} as const;
