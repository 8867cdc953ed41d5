# Rotavox without a desktop: the service and the command line, from the npm package.
#
#   npm pack && docker build -t rotavox .
#   docker run -d --name rotavox -v rotavox:/data -v "$PWD/passphrase:/run/secrets/rotavox-passphrase:ro" rotavox
#   docker exec rotavox rotavox token issue --name my-app --validity 7
#
# The passphrase of the encrypted file is the first line of a file that belongs to the account 1000 with the mode 0400. The
# service listens on the container's own 127.0.0.1 only: programs that call it share its network (`--network
# container:rotavox`, or the same pod).
FROM node:24-bookworm-slim

# The only tarball in the folder; the package brings everything it needs and runs no scripts.
COPY rotavox-*.tgz /tmp/package/
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/package/rotavox-*.tgz \
    && rm -rf /tmp/package /root/.npm \
    && mkdir --mode=0700 /data \
    && chown 1000:1000 /data

# By number, so that a cluster can see that it is not root.
USER 1000:1000
ENV HOME=/data \
    ROTAVOX_DATA_DIR=/data/rotavox \
    ROTAVOX_VAULT=file \
    ROTAVOX_VAULT_PASSPHRASE_FILE=/run/secrets/rotavox-passphrase
VOLUME /data
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s --retries=3 CMD ["rotavox", "status"]
ENTRYPOINT ["rotavox"]
CMD ["serve", "--json"]
