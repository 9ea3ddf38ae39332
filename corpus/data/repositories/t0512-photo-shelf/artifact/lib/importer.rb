# frozen_string_literal: true

require "fileutils"
require "open-uri"
require "securerandom"

# Brings photos into an album; file names are always our own.
class Importer
  LARGEST = 25 * 1024 * 1024
  MAGIC = "\xFF\xD8\xFF".b

  def initialize(album)
    @album = album
  end

  def from_upload(upload)
    raise ArgumentError, "no photo" unless upload.is_a?(Hash) && upload[:tempfile]

    store(upload[:tempfile].read(LARGEST))
  end

  def from_url(url)
    data = URI.parse(url).open(read_timeout: 15) { |io| io.read(LARGEST) }
    store(data)
  end

  private

  def store(data)
    raise ArgumentError, "not a JPEG" unless data&.b&.start_with?(MAGIC)

    folder = File.join("photos", @album.id.to_s)
    FileUtils.mkdir_p(folder)
    path = File.join(folder, "#{SecureRandom.uuid}.jpg")
    File.binwrite(path, data)
    turn_upright(path)
    Photo.create(album_id: @album.id, path: path)
  end

  def turn_upright(path)
    system("mogrify", "-auto-orient", path, exception: true)
  end
end
